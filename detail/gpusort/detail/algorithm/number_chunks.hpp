// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <gpusort/detail/kernel/count_buckets.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/library.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Launches the scan of the segments of a level: how many chunks, and how many elements, are before
/// each. `is_early`: while the kernel before it still runs.
GPUSORT_LINKABLE void number_chunks(cudaStream_t stream, bool is_early,
                                    const kernel::global_size* counts, std::uint32_t segments,
                                    kernel::global_size items_per_chunk,
                                    kernel::global_size* first_chunks, kernel::global_size* starts);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE void number_chunks(cudaStream_t stream, bool is_early,
                                    const kernel::global_size* counts, std::uint32_t segments,
                                    kernel::global_size items_per_chunk,
                                    kernel::global_size* first_chunks,
                                    kernel::global_size* starts) {
  constexpr int threads = 1024;
  constexpr auto scan = kernel::number_chunks_kernel<threads>;
  if (is_early) {
    launch_early(scan, 1, threads, 0, stream, counts, segments, items_per_chunk, first_chunks,
                 starts);
  } else {
    launch(scan, 1, threads, 0, stream, counts, segments, items_per_chunk, first_chunks, starts);
  }
}
#endif

}  // namespace GPUSORT_LINKED
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

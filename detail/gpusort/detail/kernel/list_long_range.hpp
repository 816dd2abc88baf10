// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/bucket_table.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Lists all n elements of an input that is not in order as one long range, and no element in
/// `buckets` buckets. One block.
template <int ThreadsPerBlock>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    list_long_range_kernel(bucket_sort_state* state, long_ranges ranges, global_size n,
                           std::uint32_t* violations, global_size* counts, std::uint32_t buckets) {
  for (std::uint32_t b = threadIdx.x; b < buckets; b += ThreadsPerBlock) counts[b] = 0;
  if (threadIdx.x > 0) return;
  *state = {};
  *violations = neither;
  ranges.add(0, n);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

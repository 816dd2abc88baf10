// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of a pass that merges several runs at once, for elements of one size.
template <std::size_t ElementBytes, architecture Arch = selected_architecture()>
struct multiway_merge {
  // A thread searches where its chunk begins, and walks through it; both meet other threads in the
  // banks of shared memory, which are what limits the kernel. Many items make the searches few; an
  // odd number of them is what keeps the walks of neighbours apart. Measured, u32, 2^28, 16 runs,
  // blocks of 256, ms: 15 items a thread 2.02, 23 1.80, 31 1.76. Sizes but 4 and 8 were not
  // measured.
  static constexpr int items_per_thread = ElementBytes <= 4    ? 31
                                          : ElementBytes <= 8  ? 15
                                          : ElementBytes <= 16 ? 7
                                          : ElementBytes <= 32 ? 3
                                                               : 1;

  // Gaps between pieces, and cuts, are fewer in large tiles; two of these fit on a
  // multiprocessor of sm_90.
  // A block of sm_75 has 64 KB.
  static constexpr int threads_per_block =
      ElementBytes <= 8 && Arch >= architecture::sm_80 ? 512 : 256;

  // Few runs are few rounds: while some blocks load others merge, and four do that better than two.
  // Measured, 2^28, time with blocks of 256 to that with 512: u32 4 runs 0.97, 16 0.97, 32 1.01, 64
  // 1.13; u64 0.95, 1.00, -, 1.18. Three blocks of 384, u32, to 256: 4 runs 1.00, 16 0.975.
  static constexpr int max_few_ways = 16;
  static constexpr int threads_per_block_of_few =
      ElementBytes <= 4 && Arch >= architecture::sm_80 ? 384 : 256;
  static constexpr int items_per_thread_of_few = items_per_thread;

  // A lane of the warp that cuts them has two.
  static constexpr int max_log_ways = 6;
  static constexpr int max_ways = 1 << max_log_ways;

  // Cuts are found between coarse ones, with fewer steps; few tiles need none. Not swept.
  static constexpr int cut_threads = 256;
  static constexpr int tiles_per_coarse_cut = 16;
  static constexpr int min_tiles_for_coarse_cuts = 1024;
  static constexpr int check_threads = 256;

  static_assert(ElementBytes <= 128, "larger elements are merged by pointer");
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of a pass that merges several runs at once, for elements of one size.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct multiway_merge {
  static constexpr architecture arch = Arch;

  // A thread searches where its chunk begins, and walks through it; both meet other threads in the
  // banks of shared memory, which are what limits the kernel. Many items make the searches few; an
  // odd number of them is what keeps the walks of neighbours apart. Gaps between pieces, and cuts,
  // are fewer in large tiles. Measured, 64 runs of 2^28 u32 or 2^27 u64, ms: u32 512 x 31 2.52,
  // 384 x 47 2.42, 448 x 47 2.35, 512 x 47 2.87; u64 512 x 15 2.30, 384 x 23 2.12, 448 x 23 2.79.
  // Launch bounds for more or fewer resident blocks than the compiler chooses registers for lose 2
  // to 10%.
  static constexpr bool is_large_block = is_at_least(Arch, architecture::sm_80);  // sm_75 has 64 KB
  static constexpr int items_per_thread = ElementBytes <= 4    ? (is_large_block ? 47 : 31)
                                          : ElementBytes <= 8  ? (is_large_block ? 23 : 15)
                                          : ElementBytes <= 16 ? 7
                                          : ElementBytes <= 32 ? 3
                                                               : 1;
  static constexpr int threads_per_block =
      ElementBytes > 8 || !is_large_block                           ? 256
      : ElementBytes <= 4 && is_at_least(Arch, architecture::sm_90) ? 448  // two of them in 227 KB
                                                                    : 384;

  // Few runs are few rounds: while some blocks load others merge, and many do that better than few.
  // Measured, 4 and 16 runs, ms: u32 384 x 31 0.99, 1.56, 128 x 47 0.90, 1.55, 192 x 47 0.94, 1.55,
  // 256 x 47 0.97, 1.50; u64 256 x 15 0.90, 1.48, 192 x 23 0.82, 1.34, 256 x 23 0.83, 1.31.
  static constexpr int max_few_ways = 16;
  static constexpr int threads_per_block_of_few = ElementBytes <= 4 ? 128 : 256;
  static constexpr int items_per_thread_of_few = items_per_thread;

  // A lane of the warp that cuts them has two.
  static constexpr int max_log_ways = 6;
  static constexpr int max_ways = 1 << max_log_ways;

  // Where there are several ways to cut, cuts are found between coarse ones, with fewer steps; few
  // tiles need none. Not swept. As many runs or fewer are cut by as many lanes.
  static constexpr bool has_ways_to_cut = true;
  static constexpr int cut_threads = 256;
  static constexpr int few_lanes = 4, some_lanes = 16;
  static constexpr int tiles_per_coarse_cut = 16;
  static constexpr int min_tiles_for_coarse_cuts = 1024;

  static_assert(ElementBytes <= 128, "larger elements are merged by pointer");
};

/// Merges in merge sort, where the kernel takes more registers, and two blocks of 448 threads do
/// not fit: stable_sort of 2^28 u32, merging 32 at a time, took 10.8 ms instead of 8.5.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct merge_sort_pass : multiway_merge<ElementBytes, Arch> {
  static constexpr int threads_per_block =
      min_of(384, multiway_merge<ElementBytes, Arch>::threads_per_block);
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

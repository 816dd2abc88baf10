// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tuning/architecture.hpp>
#include <gpusort/detail/tuning/multiway_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of merge sort, for elements of one size.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct merge_sort {
  static constexpr architecture arch = Arch;
  using pass = merge_sort_pass<ElementBytes, Arch>;

  // A thread sorts a chunk of items by exchanging neighbours, so fewer than it merges. Tiles are
  // just above a power of two, so that one of elements is one of tiles, or less: 2^26 of 4 bytes is
  // two passes then. Measured on an H100 with 31, 15 and 7 and with these, stable, by an opaque
  // `<`, ms: 4 bytes 2^24 0.607 and 0.573, 2^26 2.21 and 2.12; 8 bytes 2^21 0.175 and 0.159,
  // 2^24 1.012 and 0.957; 16 bytes 2^22 0.631 and 0.585, 2^26 8.22 and 7.71. sm_75 has 64 KB for a
  // block.
  static constexpr int items_per_thread = ElementBytes <= 4    ? 33
                                          : ElementBytes <= 8  ? 17
                                          : ElementBytes <= 16 ? 9
                                          : ElementBytes <= 32 ? 3
                                                               : 1;
  static constexpr int threads_per_block =
      ElementBytes <= 8 && is_at_least(Arch, architecture::sm_80) ? 512 : 256;

  // The look at the runs that there are already.
  static constexpr int run_threads = 256;
  static constexpr int run_blocks_per_multiprocessor = 4;

  // A look costs a launch and a memset, and of a random input no more; of one that is nearly in
  // order up to a reading. Measured by ratios to Thrust in two runs, 2^22, before and after:
  // u32 1.57 and 1.58, u64 1.98 and 1.94. Neither this nor the blocks were swept.
  static constexpr std::uint64_t min_n_to_look = std::uint64_t{1} << 22;
};

/// Smaller tiles, and shorter chunks for more threads, for elements that would be fewer tiles of
/// the above than there are multiprocessors. Measured on an H100, stable, u32, 2^19 and 2^20, ms:
/// by a comparator of 4 us 5.3 and 5.2 before, 2.5 and 4.2 now, chunks of 7 3.1 and 5.0; by one
/// that reads a table 0.63 and 0.84, 0.34 and 0.78, 0.38 and 0.82; by `<` 0.090 and 0.105, 0.088
/// and 0.099, 0.088 and 0.108.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct merge_sort_of_few : merge_sort<ElementBytes, Arch> {
  // Larger elements have small tiles anyway; of shorter ones cuts would be a tenth of the scratch.
  static constexpr bool are_used = ElementBytes >= 4 && ElementBytes <= 8;

  struct pass : merge_sort_pass<ElementBytes, Arch> {
    static constexpr int items_per_thread = 15;
    static constexpr int threads_per_block = 128;
    static constexpr int items_per_thread_of_few = items_per_thread;
    static constexpr int threads_per_block_of_few = threads_per_block;
  };
  static constexpr int items_per_thread = 9;
  static constexpr int threads_per_block = 512;
};

/// Leaves little to be compiled: few kernels, and chunks of few items, since sorting and merging
/// them is unrolled code, of up to 32 runs, which one lane each cuts. By a functor of 4-byte
/// elements that divides, that is 4 900 lines of PTX and 77 KB of sm_90; chunks as above and 64
/// runs are 19 800 lines and 253 KB.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct lean_merge_sort : merge_sort<ElementBytes, Arch> {
  using others = merge_sort<ElementBytes, Arch>;

  struct pass : merge_sort_pass<ElementBytes, Arch> {
    // Cuts of smaller tiles would be a tenth of the scratch where elements have 1 or 2 bytes.
    static constexpr int items_per_thread = ElementBytes < 4
                                                ? int{others::pass::items_per_thread}
                                                : min_of(15, int{others::pass::items_per_thread});
    static constexpr int max_few_ways = 0;
    static constexpr int max_log_ways = 5;
    static constexpr int max_ways = 1 << max_log_ways;
    static constexpr bool has_ways_to_cut = false;
  };
  // Tiles of 4 608 elements of 4 or 8 bytes: 2^22 of them are merged in two passes, of 3 584 in
  // three.
  static constexpr int items_per_thread = min_of(9, int{others::items_per_thread});
  static constexpr std::uint64_t min_n_to_look = ~std::uint64_t{0};
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

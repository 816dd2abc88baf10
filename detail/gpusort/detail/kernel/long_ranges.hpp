// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/page_table.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A range that is too long for one block.
struct long_range {
  global_size begin;
  global_size count;
  std::uint32_t first_cut;  // its place in long_ranges::cuts
  std::uint32_t finished;   // work items of it
  bool is_in_spare;         // where its elements are, if not in the input
};

struct long_range_totals {
  std::uint32_t ranges;
  std::uint32_t cuts;
  std::uint32_t claimed;  // work items
};

/// The ranges of a sort that are too long for one block. All blocks of a later kernel merge sort
/// them together (sort_long_ranges.hpp), each part of a merged run as one work item.
struct long_ranges {
  long_range_totals* totals = nullptr;  // 0 before the first range is added
  long_range* ranges = nullptr;
  global_size* cuts = nullptr;
  global_size longest_in_block = 0;  // longer ranges are added
  global_size items_per_part = 0;

  /// Room for the ranges of n elements that are longer than `longest_in_block`, which the tiles of
  /// Sorter will merge.
  template <class Sorter>
  static long_ranges in_scratch(scratch_cursor& cursor, std::uint64_t n, int longest_in_block,
                                long_range_totals* totals) {
    static_assert(Sorter::items_per_tile == Sorter::items_per_merge ||
                      Sorter::items_per_tile == 2 * Sorter::items_per_merge,
                  "parts hold whole runs, or runs whole parts");
    // Every block looks at all cuts of a pair of runs, so their number is bounded.
    constexpr std::uint64_t most_parts = 4096;
    const std::uint64_t tiles = ceil_div<std::uint64_t>(n, Sorter::items_per_merge);
    long_ranges all;
    all.totals = totals;
    all.longest_in_block = static_cast<global_size>(longest_in_block);
    all.items_per_part = static_cast<global_size>(Sorter::items_per_merge)
                         << ceil_log2(ceil_div(tiles, most_parts));
    const std::uint64_t most_ranges = n / (all.longest_in_block + 1);
    all.ranges = cursor.take<long_range>(most_ranges);
    all.cuts = cursor.take<global_size>(n / all.items_per_part + most_ranges);
    return all;
  }

  GPUSORT_DEVICE bool is_long(global_size count) const { return count > longest_in_block; }

  /// Lists a range. By one thread.
  GPUSORT_DEVICE void add(global_size begin, global_size count, bool is_in_spare = false) const {
    const auto parts = static_cast<std::uint32_t>(ceil_div(count, items_per_part));
    ranges[atomicAdd(&totals->ranges, 1u)] = {begin, count, atomicAdd(&totals->cuts, parts), 0,
                                              is_in_spare};
  }
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

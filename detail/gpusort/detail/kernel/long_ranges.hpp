// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
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
  global_size first_item;   // its work items follow those of the ranges before
  std::uint32_t first_cut;  // its index in long_ranges::cuts
  std::uint32_t finished;   // work items of it
  bool is_in_spare;         // where its elements are, if not in the input
  bool is_equal;            // they are equivalent, so that they are copied
};

struct long_range_totals {
  global_size added;    // ranges, and below them their work items
  global_size claimed;  // work items
  std::uint32_t cuts;

  static constexpr int item_bits = 40;
  static constexpr global_size one_range = global_size{1} << item_bits;
};

/// The work items of the merge sort of a range, in phases that each need all of the one before: the
/// sort of its tiles, and for each level of merging the cuts between the parts, and the parts.
struct long_range_work {
  global_size count, items_per_tile, items_per_part;
  std::uint32_t cuts_per_item;
  bool is_equal;

  GPUSORT_DEVICE std::uint32_t tiles() const {
    return static_cast<std::uint32_t>(ceil_div(count, items_per_tile));
  }
  GPUSORT_DEVICE std::uint32_t parts() const {
    return static_cast<std::uint32_t>(ceil_div(count, items_per_part));
  }
  GPUSORT_DEVICE int levels() const { return ceil_log2(tiles()); }
  GPUSORT_DEVICE int phases() const { return is_equal ? 1 : 1 + 2 * levels(); }

  /// Returns the elements of the sorted runs that the level of a phase merges in pairs.
  GPUSORT_DEVICE global_size run_of(int phase) const { return items_per_tile << ((phase - 1) / 2); }
  GPUSORT_DEVICE std::uint32_t items_in(int phase) const {
    if (phase == 0) return is_equal ? parts() : tiles();
    if (phase % 2 == 0) return parts();
    const bool has_cuts = 2 * run_of(phase) > items_per_part;
    return has_cuts ? ceil_div(parts(), cuts_per_item) : 0;
  }
  GPUSORT_DEVICE std::uint32_t items() const {
    std::uint32_t all = 0;
    for (int phase = 0; phase < phases(); ++phase) all += items_in(phase);
    return all;
  }
};

/// The ranges of a sort that are too long for one block. All blocks of a later kernel merge sort
/// them together (sort_long_ranges.hpp), each tile and each part of a merged run as one work item.
struct long_ranges {
  long_range_totals* totals = nullptr;  // 0 before the first range is added
  long_range* ranges = nullptr;
  global_size* cuts = nullptr;
  global_size longest_in_block = 0;  // longer ranges are added
  global_size items_per_tile = 0, items_per_part = 0;
  global_size items_per_copy = 0;  // a part of a range of equal elements
  std::uint32_t cuts_per_item = 0;

  /// Takes room for the ranges of n elements that are longer than `longest_in_block`, which the
  /// tiles of Sorter will merge.
  template <class Sorter>
  static long_ranges in_scratch(scratch_cursor& cursor, std::uint64_t n, int longest_in_block,
                                long_range_totals* totals) {
    static_assert(Sorter::items_per_tile == Sorter::items_per_merge ||
                      Sorter::items_per_tile == 2 * Sorter::items_per_merge,
                  "parts hold whole runs, or runs whole parts");
    // Every block looks at all cuts of a pair of runs, so their number is bounded.
    constexpr std::uint64_t most_parts = 4096;
    constexpr int lanes_per_cut = 32;
    const std::uint64_t tiles = ceil_div<std::uint64_t>(n, Sorter::items_per_merge);
    long_ranges all;
    all.totals = totals;
    all.longest_in_block = static_cast<global_size>(longest_in_block);
    all.items_per_tile = Sorter::items_per_tile;
    all.items_per_part = static_cast<global_size>(Sorter::items_per_merge)
                         << ceil_log2(ceil_div(tiles, most_parts));
    // By estimate: blocks copy a few parts each, as their threads meet before and after one.
    constexpr std::uint64_t most_copies = 1024;
    all.items_per_copy = (std::max)(all.items_per_part, ceil_div<global_size>(n, most_copies));
    all.cuts_per_item = Sorter::threads_per_block / lanes_per_cut;
    const std::uint64_t most_ranges = n / (all.longest_in_block + 1);
    all.ranges = cursor.take<long_range>(most_ranges);
    all.cuts = cursor.take<global_size>(n / all.items_per_part + most_ranges);
    return all;
  }

  GPUSORT_DEVICE bool is_long(global_size count) const { return count > longest_in_block; }
  /// Whether a range of equal elements is too long to be copied by one block. By estimate, six
  /// parts: the 256 ranges of uniform bytes have four each, and are copied by as many blocks.
  GPUSORT_DEVICE bool is_long_copy(global_size count) const {
    return is_long(count) && count > 6 * items_per_copy;
  }

  GPUSORT_DEVICE long_range_work work_of(global_size count, bool is_equal) const {
    return {count, items_per_tile, is_equal ? items_per_copy : items_per_part, cuts_per_item,
            is_equal};
  }

  /// Lists a range that is to be sorted. By one thread.
  GPUSORT_DEVICE void add(global_size begin, global_size count, bool is_in_spare = false) const {
    add({begin, count, 0, 0, 0, is_in_spare, false});
  }
  /// Lists a range that is to be copied. By one thread.
  GPUSORT_DEVICE void add_equal(global_size begin, global_size count) const {
    add({begin, count, 0, 0, 0, false, true});
  }

 private:
  GPUSORT_DEVICE void add(long_range range) const {
    const long_range_work work = work_of(range.count, range.is_equal);
    const global_size before =
        atomicAdd(&totals->added, long_range_totals::one_range + work.items());
    range.first_item = before & (long_range_totals::one_range - 1);
    if (!range.is_equal) range.first_cut = atomicAdd(&totals->cuts, work.parts());
    ranges[before >> long_range_totals::item_bits] = range;
  }
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

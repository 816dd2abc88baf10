// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/long_ranges.hpp>
#include <gpusort/detail/tile/lane_search.hpp>
#include <gpusort/detail/tile/sort_range.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The work items of the merge sort of one range, in phases that each need all of the one before:
/// the sort of its tiles, and for each level of merging the cuts between the parts, and the parts.
template <class Sorter>
struct long_range_work {
  static constexpr global_size items_per_tile = Sorter::items_per_tile;
  static constexpr int warps = Sorter::threads_per_block / tile::warp_size;

  global_size begin, count, items_per_part;

  GPUSORT_DEVICE std::uint32_t tiles() const {
    return static_cast<std::uint32_t>(ceil_div(count, items_per_tile));
  }
  GPUSORT_DEVICE std::uint32_t parts() const {
    return static_cast<std::uint32_t>(ceil_div(count, items_per_part));
  }
  GPUSORT_DEVICE int levels() const { return ceil_log2(tiles()); }
  GPUSORT_DEVICE int phases() const { return 1 + 2 * levels(); }

  /// Sorted runs that the level of a phase merges in pairs.
  GPUSORT_DEVICE global_size run_of(int phase) const { return items_per_tile << ((phase - 1) / 2); }
  GPUSORT_DEVICE std::uint32_t items_in(int phase) const {
    if (phase == 0) return tiles();
    if (phase % 2 == 0) return parts();
    const bool has_cuts = 2 * run_of(phase) > items_per_part;
    return has_cuts ? ceil_div(parts(), std::uint32_t{warps}) : 0;
  }
};

/// A part of the merged order of two neighbouring runs, from place `begin` to `end` of the range.
struct long_range_part {
  global_size begin, end;
  global_size pair;  // where run a begins
  global_size a_count, b_count;

  template <class Work>
  static GPUSORT_DEVICE long_range_part of(const Work& work, global_size run, global_size begin,
                                           global_size items) {
    long_range_part part;
    part.begin = begin;
    part.pair = begin / (2 * run) * (2 * run);
    part.a_count = min_of(run, work.count - part.pair);
    part.b_count = min_of(run, work.count - part.pair - part.a_count);
    part.end = min_of(begin + items, part.pair + part.a_count + part.b_count);
    return part;
  }
};

/// A warp finds how many elements of run a are before the part.
template <class Array, class Compare>
GPUSORT_DEVICE global_size find_cut_before(const Array& runs, const long_range_part& part,
                                           Compare& compare) {
  const Array a = runs + part.pair, b = runs + (part.pair + part.a_count);
  const global_size before = part.begin - part.pair;
  const global_size low = before > part.b_count ? before - part.b_count : 0;
  const global_size high = min_of(before, part.a_count);
  return tile::lane_search<tile::warp_size>(
      low, high, low + (high - low) / 2, (high - low) / (2 * tile::warp_size) + 1,
      [&](std::uint64_t i) { return !compare(b.load(before - 1 - i), a.load(i)); });
}

/// What the blocks of a grid do with long ranges: `from` has the elements, or `spare` those that
/// are marked; `to` gets them in order, `spare` may be overwritten.
template <class Sorter, class Array, class Compare>
struct long_range_sort {
  using work = long_range_work<Sorter>;

  typename Sorter::storage& shared;
  Array from, to, spare;
  const long_ranges& all;
  Compare& compare;

  /// All blocks call it once what adds ranges has ended, with the number that it has added. Blocks
  /// claim work items in their order, so what a block waits for has been claimed by others that
  /// run: it ends whatever blocks are resident. Block-wide.
  GPUSORT_DEVICE void run(std::uint32_t listed) {
    std::uint32_t r = 0, first = 0;  // the range, and the number of its phase's first item
    std::uint32_t needed = 0;        // finished items of the range before that phase
    int phase = 0;
    while (r < listed) {
      const std::uint32_t item = claim();
      work mine = work_of(r);
      while (item - first >= mine.items_in(phase)) {
        first += mine.items_in(phase);
        needed += mine.items_in(phase);
        if (++phase < mine.phases()) continue;
        phase = 0;
        needed = 0;
        if (++r == listed) return;
        mine = work_of(r);
      }
      wait_for(all.ranges[r], needed);
      do_item(mine, r, phase, item - first);
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&all.ranges[r].finished, 1u);
      }
    }
  }

 private:
  GPUSORT_DEVICE std::uint32_t claim() const {
    __shared__ std::uint32_t claimed;
    __syncthreads();
    if (threadIdx.x == 0) claimed = atomicAdd(&all.totals->claimed, 1u);
    __syncthreads();
    return claimed;
  }

  GPUSORT_DEVICE work work_of(std::uint32_t r) const {
    return {__ldcg(&all.ranges[r].begin), __ldcg(&all.ranges[r].count), all.items_per_part};
  }

  /// Waits until other blocks have finished so many items, and sees what they have written.
  GPUSORT_DEVICE void wait_for(const long_range& range, std::uint32_t items) const {
    const auto are_missing = [&] {
      if (threadIdx.x > 0) return false;
      const bool is_short = *static_cast<const volatile std::uint32_t*>(&range.finished) < items;
      __threadfence();
      return is_short;
    };
    while (__syncthreads_or(are_missing())) {
    }
  }

  /// Each level changes sides; the last one ends in `to`.
  GPUSORT_DEVICE Array side_after(const work& mine, int level) const {
    return ((mine.levels() - level) % 2 == 0 ? to : spare) + mine.begin;
  }

  GPUSORT_DEVICE void do_item(const work& mine, std::uint32_t r, int phase, std::uint32_t item) {
    if (phase == 0) return sort_tile(mine, all.ranges[r].is_in_spare, item);
    const int level = (phase + 1) / 2;
    const Array runs = side_after(mine, level - 1);
    global_size* const cuts = all.cuts + all.ranges[r].first_cut;
    if (phase % 2 == 1) {
      find_cuts(mine, runs, mine.run_of(phase), cuts, item);
    } else {
      merge_part(mine, runs, side_after(mine, level), mine.run_of(phase), cuts, item);
    }
  }

  GPUSORT_DEVICE void sort_tile(const work& mine, bool is_in_spare, std::uint32_t item) {
    const global_size first = item * work::items_per_tile;
    const int count = static_cast<int>(min_of(work::items_per_tile, mine.count - first));
    Sorter::sort(shared, (is_in_spare ? spare : from) + (mine.begin + first), count, compare);
    tile::store_tile<Sorter::threads_per_block>(side_after(mine, 0), first, count, shared.tile);
  }

  GPUSORT_DEVICE void find_cuts(const work& mine, const Array& runs, global_size run,
                                global_size* cuts, std::uint32_t item) {
    const std::uint32_t part = item * work::warps + tile::warp_id();
    if (part >= mine.parts()) return;
    const auto whole =
        long_range_part::of(mine, run, part * mine.items_per_part, mine.items_per_part);
    const global_size cut = find_cut_before(runs, whole, compare);
    if (tile::lane_id() == 0) cuts[part] = cut;
  }

  /// Merges part `item`, or the pairs of runs in it where it has several.
  GPUSORT_DEVICE void merge_part(const work& mine, const Array& runs, const Array& merged,
                                 global_size run, const global_size* cuts, std::uint32_t item) {
    const global_size first = item * mine.items_per_part;
    const global_size last = min_of(first + mine.items_per_part, mine.count);
    if (2 * run <= mine.items_per_part) {
      for (global_size begin = first; begin < last; begin += 2 * run) {
        const auto pair = long_range_part::of(mine, run, begin, 2 * run);
        tile::merge_run_pair<Sorter>(shared, runs, merged, pair.pair, pair.a_count,
                                     {0, pair.end - begin, 0, pair.a_count}, compare);
      }
      return;
    }
    const auto part = long_range_part::of(mine, run, first, mine.items_per_part);
    const bool are_torn = has_torn_cuts(mine, part, cuts);
    const global_size begin = first - part.pair, end = part.end - part.pair;
    const global_size a_begin = are_torn ? min_of(begin, part.a_count) : __ldcg(cuts + item);
    const global_size a_end = end == part.a_count + part.b_count ? part.a_count
                              : are_torn                         ? min_of(end, part.a_count)
                                                                 : __ldcg(cuts + item + 1);
    tile::merge_run_pair<Sorter>(shared, runs, merged, part.pair, part.a_count,
                                 {begin, end, a_begin, a_end}, compare);
  }

  /// Whether some parts of the pair do not fit each other, as inconsistent comparators make them:
  /// then its runs are left one after the other. All blocks find the same.
  GPUSORT_DEVICE bool has_torn_cuts(const work& mine, const long_range_part& part,
                                    const global_size* cuts) const {
    const global_size total = part.a_count + part.b_count;
    const global_size first = part.pair / mine.items_per_part;
    const global_size parts = ceil_div(total, mine.items_per_part);
    bool is_torn = false;
    for (global_size i = threadIdx.x; i < parts; i += blockDim.x) {
      const global_size length = min_of(mine.items_per_part, total - i * mine.items_per_part);
      const global_size a_begin = __ldcg(cuts + first + i);
      const global_size a_end = i + 1 < parts ? __ldcg(cuts + first + i + 1) : part.a_count;
      is_torn |= a_begin > a_end || a_end - a_begin > length;
    }
    return __syncthreads_or(is_torn) != 0;
  }
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

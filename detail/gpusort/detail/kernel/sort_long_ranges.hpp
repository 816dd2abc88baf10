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

/// What a block sorts in one tile.
template <class Array>
struct tile_job {
  Array from, to;
  int count;
  std::uint32_t range;  // the long range that it is a part of
};

/// What the blocks of a grid do with long ranges: `from` has the elements, or `spare` those that
/// are marked; `to` gets them in order, `spare` may be overwritten.
template <class Sorter, class Array, class Compare>
class long_range_sort {
  using work = long_range_work<Sorter>;

 public:
  /// `listed`: how many ranges have been added, by what has ended before.
  GPUSORT_DEVICE long_range_sort(typename Sorter::storage& shared, const Array& from,
                                 const Array& to, const Array& spare, const long_ranges& all,
                                 std::uint32_t listed, Compare& compare)
      : shared_(shared),
        from_(from),
        to_(to),
        spare_(spare),
        all_(all),
        listed_(listed),
        compare_(compare) {}

  /// Claims work items, and does them, until one is the sort of a tile, which is left to the
  /// caller; then finish_tile() is called after it. False when nothing is left to do. Blocks claim
  /// items in their order, so what a block waits for has been claimed by others that run: it ends
  /// whatever blocks are resident. Block-wide, after a barrier.
  GPUSORT_DEVICE bool next_tile(tile_job<Array>& job) {
    while (range_ < listed_) {
      const std::uint32_t item = claim();
      work mine = work_of(range_);
      while (item - first_ >= mine.items_in(phase_)) {
        first_ += mine.items_in(phase_);
        needed_ += mine.items_in(phase_);
        if (++phase_ < mine.phases()) continue;
        phase_ = 0;
        needed_ = 0;
        if (++range_ == listed_) return false;
        mine = work_of(range_);
      }
      const std::uint32_t number = item - first_;
      if (phase_ == 0) {
        const global_size first = number * work::items_per_tile;
        const Array& from = all_.ranges[range_].is_in_spare ? spare_ : from_;
        job = {from + (mine.begin + first), side_after(mine, 0) + first,
               static_cast<int>(min_of(work::items_per_tile, mine.count - first)), range_};
        return true;
      }
      wait_for_phase();
      global_size* const cuts = all_.cuts + all_.ranges[range_].first_cut;
      const int level = (phase_ + 1) / 2;
      const Array runs = side_after(mine, level - 1);
      if (phase_ % 2 == 1) {
        find_cuts(mine, runs, cuts, number);
      } else {
        merge_part(mine, runs, side_after(mine, level), cuts, number);
      }
      finish_item(range_);
    }
    return false;
  }

  /// Block-wide, after a barrier.
  GPUSORT_DEVICE void finish_tile(const tile_job<Array>& job) const { finish_item(job.range); }

 private:
  GPUSORT_DEVICE std::uint32_t claim() const {
    __shared__ std::uint32_t claimed;
    __syncthreads();
    if (threadIdx.x == 0) claimed = atomicAdd(&all_.totals->claimed, 1u);
    __syncthreads();
    return claimed;
  }

  GPUSORT_DEVICE void finish_item(std::uint32_t range) const {
    __syncthreads();
    if (threadIdx.x > 0) return;
    __threadfence();
    atomicAdd(&all_.ranges[range].finished, 1u);
  }

  GPUSORT_DEVICE work work_of(std::uint32_t range) const {
    return {__ldcg(&all_.ranges[range].begin), __ldcg(&all_.ranges[range].count),
            all_.items_per_part};
  }

  /// Waits until other blocks have finished what the phase needs, and sees what they have written.
  GPUSORT_DEVICE void wait_for_phase() const {
    const volatile std::uint32_t* const finished = &all_.ranges[range_].finished;
    const auto is_early = [&] {
      if (threadIdx.x > 0) return false;
      const bool is_short = *finished < needed_;
      __threadfence();
      return is_short;
    };
    while (__syncthreads_or(is_early())) {
    }
  }

  /// Each level changes sides; the last one ends in `to`.
  GPUSORT_DEVICE Array side_after(const work& mine, int level) const {
    return ((mine.levels() - level) % 2 == 0 ? to_ : spare_) + mine.begin;
  }

  GPUSORT_DEVICE void find_cuts(const work& mine, const Array& runs, global_size* cuts,
                                std::uint32_t item) {
    const std::uint32_t part = item * work::warps + tile::warp_id();
    if (part >= mine.parts()) return;
    const auto whole = long_range_part::of(mine, mine.run_of(phase_), part * mine.items_per_part,
                                           mine.items_per_part);
    const global_size cut = find_cut_before(runs, whole, compare_);
    if (tile::lane_id() == 0) cuts[part] = cut;
  }

  /// Merges part `item`, or the pairs of runs in it where it has several.
  GPUSORT_DEVICE void merge_part(const work& mine, const Array& runs, const Array& merged,
                                 const global_size* cuts, std::uint32_t item) {
    const global_size run = mine.run_of(phase_), first = item * mine.items_per_part;
    const global_size last = min_of(first + mine.items_per_part, mine.count);
    const bool is_within_pair = 2 * run > mine.items_per_part;
    const bool are_torn =
        is_within_pair &&
        has_torn_cuts(mine, long_range_part::of(mine, run, first, mine.items_per_part), cuts);
    const global_size step = min_of(2 * run, mine.items_per_part);
    for (global_size begin = first; begin < last; begin += step) {
      const auto part = long_range_part::of(mine, run, begin, step);
      const global_size before = begin - part.pair, end = part.end - part.pair;
      tile::merge_span span{before, end, min_of(before, part.a_count), min_of(end, part.a_count)};
      if (is_within_pair && !are_torn) {
        span.a_begin = __ldcg(cuts + item);
        if (end < part.a_count + part.b_count) span.a_end = __ldcg(cuts + item + 1);
      }
      if (end == part.a_count + part.b_count) span.a_end = part.a_count;
      tile::merge_run_pair<Sorter>(shared_, runs, merged, part.pair, part.a_count, span, compare_);
    }
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

  typename Sorter::storage& shared_;
  const Array from_, to_, spare_;
  const long_ranges& all_;
  const std::uint32_t listed_;
  Compare& compare_;
  std::uint32_t range_ = 0;   // of the item claimed last
  int phase_ = 0;             // the same
  std::uint32_t first_ = 0;   // item of that phase
  std::uint32_t needed_ = 0;  // finished items of the range before that phase
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

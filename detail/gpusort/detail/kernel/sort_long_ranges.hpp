// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/copy_elements.hpp>
#include <gpusort/detail/kernel/long_ranges.hpp>
#include <gpusort/detail/kernel/rare_merge_sort.hpp>
#include <gpusort/detail/tile/block_sort_any_length.hpp>
#include <gpusort/detail/tile/lane_search.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A part of the merged order of two neighbouring runs, from rank `begin` to `end` of the range.
struct long_range_part {
  global_size begin, end;
  global_size pair;  // where run a begins
  global_size a_count, b_count;

  static GPUSORT_DEVICE long_range_part of(const long_range_work& work, global_size run,
                                           global_size begin, global_size items) {
    long_range_part part;
    part.begin = begin;
    part.pair = begin / (2 * run) * (2 * run);
    part.a_count = min_of(run, work.count - part.pair);
    part.b_count = min_of(run, work.count - part.pair - part.a_count);
    part.end = min_of(begin + items, part.pair + part.a_count + part.b_count);
    return part;
  }
};

/// Finds how many elements of run a are before the part, by a warp.
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

/// Does what the blocks of a grid do with long ranges; sort_long_ranges says what the parameters
/// are.
template <class Sorter, class Array, class Compare>
class long_range_sort {
 public:
  GPUSORT_DEVICE long_range_sort(typename Sorter::storage& shared, const Array& from,
                                 const Array& to, const Array& spare, const long_ranges& all,
                                 Compare& compare)
      : shared_(shared), from_(from), to_(to), spare_(spare), all_(all), compare_(compare) {}

  /// Runs the work items, which blocks claim in their order, so what a block waits for has been
  /// claimed by others that run: it ends whatever blocks are resident.
  GPUSORT_DEVICE void run(global_size added) {
    const global_size items = added & (long_range_totals::one_range - 1);
    const auto listed = static_cast<std::uint32_t>(added >> long_range_totals::item_bits);
    std::uint32_t r = 0;
    for (;;) {
      const global_size claimed = claim();
      if (claimed >= items) return;
      r = range_of(claimed, r, listed);
      begin(all_.ranges[r]);
      const auto before = static_cast<std::uint32_t>(claimed - all_.ranges[r].first_item);
      int phase = 0;
      std::uint32_t item = before;
      for (; item >= mine_.items_in(phase); ++phase) item -= mine_.items_in(phase);
      if (before > item) wait_for(all_.ranges[r], before - item);
      do_item(phase, item);
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&all_.ranges[r].finished, 1u);
      }
    }
  }

 private:
  GPUSORT_DEVICE void begin(const long_range& range) {
    mine_ = all_.work_of(range.count, range.is_equal);
    begin_ = range.begin;
    is_in_spare_ = range.is_in_spare;
    cuts_ = all_.cuts + range.first_cut;
  }

  GPUSORT_DEVICE global_size claim() const {
    __shared__ global_size claimed;
    __syncthreads();
    if (threadIdx.x == 0) claimed = atomicAdd(&all_.totals->claimed, global_size{1});
    __syncthreads();
    return claimed;
  }

  /// Returns the range that a work item is of: not before r. All warps find the same.
  GPUSORT_DEVICE std::uint32_t range_of(global_size item, std::uint32_t r,
                                        std::uint32_t listed) const {
    const auto begins_before = [&](std::uint64_t i) {
      return __ldcg(&all_.ranges[i].first_item) <= item;
    };
    return static_cast<std::uint32_t>(
        tile::lane_search<tile::warp_size>(r + 1, listed, r + 1, 1, begins_before) - 1);
  }

  /// Waits until other blocks have finished `items` items, and sees what they have written.
  GPUSORT_DEVICE void wait_for(const long_range& range, std::uint32_t items) const {
    const volatile std::uint32_t* const finished = &range.finished;
    const auto is_early = [&] {
      if (threadIdx.x > 0) return false;
      const bool is_short = *finished < items;
      __threadfence();
      return is_short;
    };
    while (__syncthreads_or(is_early())) {
    }
  }

  GPUSORT_DEVICE void do_item(int phase, std::uint32_t item) {
    if (mine_.is_equal) return copy_part(item);
    if (phase == 0) return sort_tile(item);
    const int level = (phase + 1) / 2;
    const Array runs = side_after(level - 1);
    if (phase % 2 == 1) {
      find_cuts(runs, mine_.run_of(phase), item);
    } else {
      merge_part(runs, side_after(level), mine_.run_of(phase), item);
    }
  }

  /// Returns the array that a level ends in: each level changes sides; the last one ends in `to`.
  GPUSORT_DEVICE Array side_after(int level) const {
    return ((mine_.levels() - level) % 2 == 0 ? to_ : spare_) + begin_;
  }

  GPUSORT_DEVICE void copy_part(std::uint32_t item) {
    if (from_.keys == to_.keys) return;
    const global_size first = begin_ + item * mine_.items_per_part;
    const global_size last = min_of(first + mine_.items_per_part, begin_ + mine_.count);
    copy_elements(from_, to_, first, last);
  }

  GPUSORT_DEVICE void sort_tile(std::uint32_t item) {
    const global_size first = item * mine_.items_per_tile;
    const int count = static_cast<int>(min_of(mine_.items_per_tile, mine_.count - first));
    Sorter::sort(shared_, (is_in_spare_ ? spare_ : from_) + (begin_ + first), count, compare_);
    tile::store_tile<Sorter::threads_per_block>(side_after(0), first, count, shared_.tile);
  }

  GPUSORT_DEVICE void find_cuts(const Array& runs, global_size run, std::uint32_t item) {
    const std::uint32_t part = item * mine_.cuts_per_item + tile::warp_id();
    if (part >= mine_.parts()) return;
    const auto whole =
        long_range_part::of(mine_, run, part * mine_.items_per_part, mine_.items_per_part);
    const global_size cut = find_cut_before(runs, whole, compare_);
    if (tile::lane_id() == 0) cuts_[part] = cut;
  }

  /// Merges part `item`, or the pairs of runs in it where it has several.
  GPUSORT_DEVICE void merge_part(const Array& runs, const Array& merged, global_size run,
                                 std::uint32_t item) {
    const global_size first = item * mine_.items_per_part;
    const global_size last = min_of(first + mine_.items_per_part, mine_.count);
    const bool is_within_pair = 2 * run > mine_.items_per_part;
    const bool are_non_monotone = is_within_pair && has_non_monotone_cuts(long_range_part::of(
                                                        mine_, run, first, mine_.items_per_part));
    const global_size step = min_of(2 * run, mine_.items_per_part);
    for (global_size begin = first; begin < last; begin += step) {
      const auto part = long_range_part::of(mine_, run, begin, step);
      const global_size before = begin - part.pair, end = part.end - part.pair;
      tile::merge_span span{before, end, min_of(before, part.a_count), min_of(end, part.a_count)};
      if (is_within_pair && !are_non_monotone) {
        span.a_begin = __ldcg(cuts_ + item);
        if (end < part.a_count + part.b_count) span.a_end = __ldcg(cuts_ + item + 1);
      }
      tile::merge_run_pair<Sorter>(shared_, runs, merged, part.pair, part.a_count, span, compare_);
    }
  }

  /// Whether some parts of the pair do not fit each other, as inconsistent comparators make them:
  /// then its runs are left one after the other. All blocks find the same.
  GPUSORT_DEVICE bool has_non_monotone_cuts(const long_range_part& part) const {
    const global_size total = part.a_count + part.b_count;
    const global_size first = part.pair / mine_.items_per_part;
    const global_size parts = ceil_div(total, mine_.items_per_part);
    bool is_non_monotone = false;
    for (global_size i = threadIdx.x; i < parts; i += blockDim.x) {
      const global_size length = min_of(mine_.items_per_part, total - i * mine_.items_per_part);
      const global_size a_begin = __ldcg(cuts_ + first + i);
      const global_size a_end = i + 1 < parts ? __ldcg(cuts_ + first + i + 1) : part.a_count;
      is_non_monotone |= a_begin > a_end || a_end - a_begin > length;
    }
    return __syncthreads_or(is_non_monotone) != 0;
  }

  typename Sorter::storage& shared_;
  const Array from_, to_, spare_;
  const long_ranges& all_;
  Compare& compare_;
  long_range_work mine_;  // of the range at hand, as what follows
  global_size begin_;
  bool is_in_spare_;
  global_size* cuts_ = nullptr;
};

/// Sorts the ranges that kernels before, or this one before a barrier of the grid, have added to
/// `all`; `added` is totals->added. `from` has the elements, or `spare` those that are marked; `to`
/// gets them in order, `spare` may be overwritten. All blocks of the grid call it, each as a whole.
template <class RareSorter, class Array, class Compare>
GPUSORT_RARE void sort_long_ranges(tile_offsets where, Array from, Array to, Array spare,
                                   long_ranges all, global_size added, Compare compare) {
  typename RareSorter::storage shared(where);
  long_range_sort<RareSorter, Array, Compare>(shared, from, to, spare, all, compare).run(added);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

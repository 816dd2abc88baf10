// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/gallop.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// How far a selection has come in one run: the first `low` elements belong to it, those from
/// `high` on do not.
template <class Index>
struct selection_bounds {
  Index low;
  Index high;
  Index rank;  // of the pivot

  GPUSORT_DEVICE Index width() const { return high - low; }
};

/// Those of a lane's runs, in registers. `batch` of them are searched at the same time.
template <class Index, int RunsPerLane>
struct lane_bounds {
  using index = Index;
  static constexpr int batch = RunsPerLane;

  selection_bounds<Index> runs[RunsPerLane];

  static GPUSORT_DEVICE constexpr int size() { return RunsPerLane; }
  GPUSORT_DEVICE selection_bounds<Index>& operator[](int j) { return runs[j]; }
};

/// The same in memory, for any number of runs.
struct many_bounds {
  using index = std::uint64_t;
  static constexpr int batch = 1;

  selection_bounds<index>* runs;
  int count;

  GPUSORT_DEVICE int size() const { return count; }
  GPUSORT_DEVICE selection_bounds<index>& operator[](int j) { return runs[j]; }
};

template <class T, class Index>
struct selection_pivot {
  int run;
  Index place;
  T item;
  bool is_behind_proposal;  // this lane's
};

/// Each lane proposes the element that divides its widest run as `share` says. Where the runs are
/// alike, the pivot is the median of the proposals, each as heavy as its run is wide. Otherwise the
/// runs are taken to be one behind the other, in the order of the proposals, and the pivot is where
/// `quantile` of all their elements are before it. All lanes get the same; any element where a
/// comparator lies.
template <class T, class OwnRun, class Bounds, class Compare, class Index = typename Bounds::index>
GPUSORT_DEVICE selection_pivot<T, Index> choose_pivot(const OwnRun& own_run, Bounds& bounds,
                                                      float share, double quantile, bool is_alike,
                                                      Compare& compare) {
  std::decay_t<decltype(own_run(0))> widest{};
  int run = 0;
  Index width = 0, divided = 0, place = 0;
#pragma unroll
  for (int j = 0; j < bounds.size(); ++j) {
    if (bounds[j].width() <= width) continue;
    width = bounds[j].width();
    widest = own_run(j);
    run = j * warp_size + lane_id();
    divided = min_of(static_cast<Index>(share * static_cast<float>(width)), width - 1);
    place = bounds[j].low + divided;
  }
  T item;
  if (width > 0) item = widest.load(place);

  const unsigned proposing = __ballot_sync(full_warp, width > 0);
  Index before = 0, all = 0;
  for (unsigned rest = proposing; rest != 0; rest &= rest - 1) {
    const int lane = __ffs(static_cast<int>(rest)) - 1;
    const T other = shuffle_from(item, lane);
    const Index other_width = __shfl_sync(full_warp, width, lane);
    const int other_run = __shfl_sync(full_warp, run, lane);
    all += other_width;
    if (width == 0 || lane == lane_id()) continue;
    const bool is_before = other_run < run ? !compare(item, other) : compare(other, item);
    before += is_before ? other_width : 0;
  }
  const double part = (is_alike ? 0.5 : quantile) * static_cast<double>(all);
  const Index target = min_of(static_cast<Index>(part + 0.5), all - 1);
  const bool holds_target = width > 0 && before <= target && target - before < width;
  if (!is_alike && holds_target) {
    place += target - before - divided;
    item = widest.load(place);
  }
  unsigned found = __ballot_sync(full_warp, holds_target);
  if (found == 0) found = proposing;
  const int owner = __ffs(static_cast<int>(found)) - 1;
  return {__shfl_sync(full_warp, run, owner), __shfl_sync(full_warp, place, owner),
          shuffle_from(item, owner), before + width <= target};
}

/// Ranks the pivot in all runs, and returns how many elements between their bounds are before it.
/// Where runs are alike the search begins where `share` of a run's elements are before it, and errs
/// by about the root of what that leaves; elsewhere it begins at an end of the run.
template <class OwnRun, class T, class Bounds, class Compare, class Index = typename Bounds::index>
GPUSORT_DEVICE Index rank_pivot(const OwnRun& own_run, const selection_pivot<T, Index>& pivot,
                                float share, bool is_alike, Bounds& bounds, Compare& compare) {
  constexpr int batch = Bounds::batch;
  Index before = 0;
#pragma unroll
  for (int first = 0; first < bounds.size(); first += batch) {
    gallop<Index> searches[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const auto b = bounds[first + j];
      const auto divided = static_cast<Index>(share * static_cast<float>(b.width()));
      const Index last = b.width() > 0 ? b.high - 1 : b.low;
      Index guess = pivot.is_behind_proposal ? last : b.low;
      if (is_alike) guess = min_of(b.low + divided, last);
      const auto nearest = static_cast<float>(min_of(guess - b.low, b.high - guess));
      searches[j] = {b.low, b.high, guess, static_cast<Index>(sqrtf(nearest)) + 1};
      if ((first + j) * warp_size + lane_id() == pivot.run) {
        searches[j].low = searches[j].high = pivot.place;
      }
    }
    for (bool is_open = true; is_open;) {
      is_open = false;
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        if (!searches[j].is_open()) continue;
        const int i = (first + j) * warp_size + lane_id();
        const auto item = own_run(first + j).load(searches[j].place);
        searches[j].tell(i < pivot.run ? !compare(pivot.item, item) : compare(item, pivot.item));
        is_open = true;
      }
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      bounds[first + j].rank = searches[j].low;
      before += searches[j].low - bounds[first + j].low;
    }
  }
  return warp_sum(before);
}

/// A warp finds how many elements of each of k runs are among the first `left` of their merged
/// order, or a number at most `slack` away from it. Equivalent elements come from the lower run
/// first. bounds[j] are those of own_run(j), which is run 32 j + lane, `all` elements together; in
/// the end bounds[j].low is the answer.
///
/// Quick select: a pivot is ranked in all runs at once, and its ranks become bounds. Each run
/// proposes the element where it would be cut if all runs were alike. If they are, the median of
/// these is near the rank sought; where the last pivot was within less than half of the runs they
/// are not, and the next one is where it would be if each was behind another. Each eighth round
/// takes a median of the middles, which leaves three quarters of the proposing runs at most. Places
/// break all ties, so each pivot leaves less. Any comparator: the lower bounds never add up to more
/// than the rank, nor the upper ones to less, and each eighth round halves some run at least.
/// Source: paper 003, section 5.2.2, algorithm 3; the pivots are ours.
template <class T, class OwnRun, class Bounds, class Compare, class Index = typename Bounds::index>
GPUSORT_DEVICE void multiway_select(const OwnRun& own_run, Index left, Index all, Index slack,
                                    Bounds& bounds, Compare& compare) {
  bool is_alike = true;
  for (int round = 0; left > slack && all - left > slack; ++round) {
    const bool halves = round % 8 == 7;
    is_alike |= halves;
    const double quantile = static_cast<double>(left) / static_cast<double>(all);
    const float share = halves ? 0.5f : static_cast<float>(quantile);
    const auto pivot = choose_pivot<T>(own_run, bounds, share, quantile, is_alike, compare);
    const Index before = rank_pivot(own_run, pivot, share, is_alike, bounds, compare);

    const bool is_beyond = before > left + slack, takes_pivot = before + slack < left;
    int open = 0, divided = 0;
#pragma unroll
    for (int j = 0; j < bounds.size(); ++j) {
      const bool is_pivot_run = j * warp_size + lane_id() == pivot.run;
      open += bounds[j].width() > 0;
      divided += bounds[j].low < bounds[j].rank && bounds[j].rank < bounds[j].high;
      (is_beyond ? bounds[j].high : bounds[j].low) =
          bounds[j].rank + (takes_pivot && is_pivot_run ? 1 : 0);
    }
    if (!is_beyond && !takes_pivot) return;
    is_alike = 2 * warp_sum(divided) >= warp_sum(open);
    const Index taken = before + 1;
    all = is_beyond ? before : all - taken;
    left -= is_beyond ? 0 : taken;
  }
#pragma unroll
  for (int j = 0; j < bounds.size(); ++j) {
    if (left > slack) bounds[j].low = bounds[j].high;
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

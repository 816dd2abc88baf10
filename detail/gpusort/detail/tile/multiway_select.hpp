// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/gallop.hpp>
#include <gpusort/detail/tile/lane_group.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Tells how far a selection has come in one run: the first `low` elements belong to it, those from
/// `high` on do not.
template <class Index>
struct selection_bounds {
  Index low;
  Index high;
  Index rank;  // of the pivot

  GPUSORT_DEVICE Index width() const { return high - low; }
};

/// Holds the bounds of a lane's runs, in registers: of j * Lanes + lane. `batch` of them are
/// searched at the same time.
template <class Index, int RunsPerLane, int Lanes>
struct lane_bounds {
  using index = Index;
  using group = lane_group<Lanes>;
  static constexpr int lanes = Lanes, batch = RunsPerLane;

  selection_bounds<Index> runs[RunsPerLane];

  static GPUSORT_DEVICE constexpr int size() { return RunsPerLane; }
  GPUSORT_DEVICE selection_bounds<Index>& operator[](int j) { return runs[j]; }
};

/// The bounds of any number of runs, in memory.
struct many_bounds {
  using index = std::uint64_t;
  using group = lane_group<warp_size>;
  static constexpr int lanes = warp_size, batch = 1;

  selection_bounds<index>* runs;
  int count;

  GPUSORT_DEVICE int size() const { return count; }
  GPUSORT_DEVICE selection_bounds<index>& operator[](int j) { return runs[j]; }
};

template <class T, class Index>
struct selection_pivot {
  int run;
  Index index;
  T item;
  bool is_behind_proposal;  // this lane's
};

/// Chooses a pivot: each lane proposes the element that divides its widest run as `share` says.
/// Where the runs are alike, the pivot is the median of the proposals, each as heavy as its run is
/// wide. Otherwise the runs are taken to be one after the other, in the order of the proposals, and
/// the pivot is where `quantile` of all their elements are before it. All lanes of the group get
/// the same; any element where a comparator lies, or where the selection is not open.
template <class T, class OwnRun, class Bounds, class Compare, class Index = typename Bounds::index>
GPUSORT_DEVICE selection_pivot<T, Index> choose_pivot(const OwnRun& own_run, Bounds& bounds,
                                                      float share, double quantile, bool is_alike,
                                                      bool is_open, Compare& compare) {
  using group = typename Bounds::group;
  std::decay_t<decltype(own_run(0))> widest{};
  int run = 0;
  Index width = 0, divided = 0, index = 0;
#pragma unroll
  for (int j = 0; j < bounds.size(); ++j) {
    if (!is_open || bounds[j].width() <= width) continue;
    width = bounds[j].width();
    widest = own_run(j);
    run = j * Bounds::lanes + group::id();
    divided = min_of(static_cast<Index>(share * static_cast<float>(width)), width - 1);
    index = bounds[j].low + divided;
  }
  T item;
  if (width > 0) item = widest.load(index);

  const unsigned proposing = group::ballot(width > 0);
  unsigned of_any_group = proposing;
#pragma unroll
  for (int i = Bounds::lanes; i < warp_size; i *= 2) {
    of_any_group |= __shfl_xor_sync(full_warp, of_any_group, i);
  }
  Index before = 0, all = 0;
  for (unsigned rest = of_any_group; rest != 0; rest &= rest - 1) {
    const int lane = __ffs(static_cast<int>(rest)) - 1;
    const T other = group::shuffle(item, lane);
    const Index other_width = group::shuffle(width, lane);
    const int other_run = group::shuffle(run, lane);
    all += other_width;
    if (width == 0 || other_width == 0 || lane == group::id()) continue;
    const bool is_before = other_run < run ? !compare(item, other) : compare(other, item);
    before += is_before ? other_width : 0;
  }
  const double part = (is_alike ? 0.5 : quantile) * static_cast<double>(all);
  const Index target = min_of(static_cast<Index>(part + 0.5), all - 1);
  const bool holds_target = width > 0 && before <= target && target - before < width;
  if (!is_alike && holds_target) {
    index += target - before - divided;
    item = widest.load(index);
  }
  const unsigned found = group::ballot(holds_target);
  const int one_based = __ffs(static_cast<int>(found != 0 ? found : proposing));
  const int owner = one_based > 0 ? one_based - 1 : 0;
  return {group::shuffle(run, owner), group::shuffle(index, owner), group::shuffle(item, owner),
          before + width <= target};
}

/// Ranks the pivot in all runs, and returns how many elements between their bounds are before it.
/// Where runs are alike the search begins where `share` of a run's elements are before it, and errs
/// by about the root of what that leaves; elsewhere it begins at an end of the run.
template <class OwnRun, class T, class Bounds, class Compare, class Index = typename Bounds::index>
GPUSORT_DEVICE Index rank_pivot(const OwnRun& own_run, const selection_pivot<T, Index>& pivot,
                                float share, bool is_alike, bool is_open, Bounds& bounds,
                                Compare& compare) {
  constexpr int batch = Bounds::batch;
  const auto run_of = [](int j) { return j * Bounds::lanes + Bounds::group::id(); };
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
      if (!is_open || run_of(first + j) == pivot.run) {
        searches[j].low = searches[j].high = pivot.index;
      }
    }
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      T item[batch];  // on their way together
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        if (searches[j].is_open()) item[j] = own_run(first + j).load(searches[j].index);
      }
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        if (!searches[j].is_open()) continue;
        searches[j].tell(run_of(first + j) < pivot.run ? !compare(pivot.item, item[j])
                                                       : compare(item[j], pivot.item));
        goes_on = true;
      }
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      bounds[first + j].rank = searches[j].low;
      before += searches[j].low - bounds[first + j].low;
    }
  }
  return Bounds::group::sum(before);
}

/// Finds, by a group of lanes, how many elements of each of k runs are among the first `left` of
/// their merged order, or a number at most `slack` away from it. Equivalent elements come from the
/// lower run first. bounds[j] are those of own_run(j), which is run j * lanes + lane, `all`
/// elements together; in the end bounds[j].low is the answer. All lanes of the warp call it.
///
/// Quick select: a pivot is ranked in all runs at once, and its ranks become bounds. Each run
/// proposes the element where it would be cut if all runs were alike. If they are, the median of
/// these is near the rank sought; where the last pivot was within less than half of the runs they
/// are not, and the next one is where it would be if the runs followed one another. Each eighth
/// round takes a median of the middles, which leaves three quarters of the proposing runs at most.
/// Indices break all ties, so each pivot leaves less. Any comparator: the lower bounds never add up
/// to more than the rank, nor the upper ones to less, and each eighth round halves some run at
/// least. Source: paper 003, section 5.2.2, algorithm 3; the pivots are ours.
template <class T, class OwnRun, class Bounds, class Compare, class Index = typename Bounds::index>
GPUSORT_DEVICE void multiway_select(const OwnRun& own_run, Index left, Index all, Index slack,
                                    Bounds& bounds, Compare& compare) {
  using group = typename Bounds::group;
  bool is_alike = true, is_open = left > slack && all - left > slack;
  for (int round = 0; __any_sync(full_warp, is_open); ++round) {
    const bool halves = round % 8 == 7;
    is_alike |= halves;
    const double quantile = is_open ? static_cast<double>(left) / static_cast<double>(all) : 0.5;
    const float share = halves ? 0.5f : static_cast<float>(quantile);
    const auto pivot =
        choose_pivot<T>(own_run, bounds, share, quantile, is_alike, is_open, compare);
    const Index before = rank_pivot(own_run, pivot, share, is_alike, is_open, bounds, compare);

    const bool is_beyond = before > left + slack, takes_pivot = before + slack < left;
    int wide = 0, divided = 0;
#pragma unroll
    for (int j = 0; j < bounds.size(); ++j) {
      const bool is_pivot_run = j * Bounds::lanes + group::id() == pivot.run;
      wide += bounds[j].width() > 0;
      divided += bounds[j].low < bounds[j].rank && bounds[j].rank < bounds[j].high;
      if (is_open) {
        (is_beyond ? bounds[j].high : bounds[j].low) =
            bounds[j].rank + (takes_pivot && is_pivot_run ? 1 : 0);
      }
    }
    is_alike = 2 * group::sum(divided) >= group::sum(wide);
    if (!is_open) continue;
    const Index taken = before + 1;
    all = is_beyond ? before : all - taken;
    left = is_beyond ? left : takes_pivot ? left - taken : 0;
    is_open = left > slack && all - left > slack;
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

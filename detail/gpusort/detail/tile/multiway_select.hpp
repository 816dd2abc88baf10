// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/gallop.hpp>

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

/// The sum over a warp, in all lanes.
template <class Index>
GPUSORT_DEVICE Index warp_sum(Index x) {
#pragma unroll
  for (int i = 0; i < 5; ++i) x += __shfl_xor_sync(full_warp, x, 1 << i);
  return x;
}

/// The sum over this lane and those before it.
template <class Index>
GPUSORT_DEVICE Index warp_prefix(Index x) {
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    const Index other = __shfl_up_sync(full_warp, x, 1 << i);
    if (lane_id() >= 1 << i) x += other;
  }
  return x;
}

template <class Index>
struct selection_pivot {
  int run;
  Index place;
};

/// A place in the run in which the runs, one behind the other, have place `target`: that one if
/// `joins`, else the one that divides the run as `share` says. All lanes get the same.
template <class Bounds, class Index = typename Bounds::index>
GPUSORT_DEVICE selection_pivot<Index> choose_pivot(Bounds& bounds, Index target, float share,
                                                   bool joins) {
#pragma unroll
  for (int j = 0; j < bounds.size(); ++j) {
    const Index width = bounds[j].width(), prefix = warp_prefix(width);
    const unsigned found = __ballot_sync(full_warp, prefix > target);
    if (found != 0) {
      const int owner = __ffs(static_cast<int>(found)) - 1;
      const auto divided = static_cast<Index>(share * static_cast<float>(width));
      const Index place = joins ? target - (prefix - width) : min_of(divided, width - 1);
      return {j * warp_size + owner, __shfl_sync(full_warp, bounds[j].low + place, owner)};
    }
    target -= __shfl_sync(full_warp, prefix, warp_size - 1);
  }
  return {0, 0};  // only where target is beyond all runs
}

/// Ranks the pivot in all runs, and returns how many elements between their bounds are before it.
/// The search begins where `share` of a run's elements are before it, and errs by about the root of
/// what that leaves.
template <class OwnRun, class T, class Bounds, class Compare, class Index = typename Bounds::index>
GPUSORT_DEVICE Index rank_pivot(const OwnRun& own_run, const selection_pivot<Index>& pivot,
                                const T& pivot_item, float share, Bounds& bounds,
                                Compare& compare) {
  constexpr int batch = Bounds::batch;
  Index before = 0;
#pragma unroll
  for (int first = 0; first < bounds.size(); first += batch) {
    gallop<Index> searches[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const auto b = bounds[first + j];
      const auto divided = static_cast<Index>(share * static_cast<float>(b.width()));
      const Index guess = b.width() > 0 ? min_of(b.low + divided, b.high - 1) : b.low;
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
        searches[j].tell(i < pivot.run ? !compare(pivot_item, item) : compare(item, pivot_item));
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
/// first. bounds[j] are those of own_run(j), which is run_at(32 j + lane), `all` elements together;
/// in the end bounds[j].low is the answer.
///
/// Quick select: a pivot is ranked in all runs at once, and its ranks become bounds. The pivot is
/// where the runs would be cut if all were alike, which brings it near the rank sought. Where that
/// takes more than a few rounds, it is also where they would be cut if each were behind the last
/// one, as where all elements are equivalent; any element, which leaves half in expectation; or the
/// middle of a run. Places break all ties, so each pivot leaves less. Any comparator: the lower
/// bounds never add up to more than the rank, nor the upper ones to less, and each eighth round
/// halves some run at least. Source: paper 003, section 5.2.2, algorithm 3.
template <class RunAt, class OwnRun, class Bounds, class Compare,
          class Index = typename Bounds::index>
GPUSORT_DEVICE void multiway_select(const RunAt& run_at, const OwnRun& own_run, Index left,
                                    Index all, Index slack, Bounds& bounds, Compare& compare) {
  for (int round = 0; left > slack && all - left > slack; ++round) {
    const bool joins = round % 4 == 3, halves = round % 8 == 6;
    const bool guesses = !halves && round > 3 && round % 2 == 0;
    const float share = halves ? 0.5f : static_cast<float>(left) / static_cast<float>(all);
    Index target = halves ? all / 2 : left;
    if (guesses) target = static_cast<Index>(mix_bits(left + all) % all);
    const auto pivot = choose_pivot(bounds, target, share, joins || guesses);
    const auto pivot_item = run_at(pivot.run).load(pivot.place);
    const Index before = rank_pivot(own_run, pivot, pivot_item, share, bounds, compare);

    const bool is_beyond = before > left + slack, takes_pivot = before + slack < left;
#pragma unroll
    for (int j = 0; j < bounds.size(); ++j) {
      const bool is_pivot_run = j * warp_size + lane_id() == pivot.run;
      (is_beyond ? bounds[j].high : bounds[j].low) =
          bounds[j].rank + (takes_pivot && is_pivot_run ? 1 : 0);
    }
    if (!is_beyond && !takes_pivot) return;
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

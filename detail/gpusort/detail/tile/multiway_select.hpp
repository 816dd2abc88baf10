// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// How far a selection has come in one run: the first `low` elements belong to it, those from
/// `high` on do not.
struct selection_bounds {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t rank = 0;  // of the pivot

  GPUSORT_DEVICE std::uint64_t width() const { return high - low; }
};

/// A lane's runs, in registers.
template <int RunsPerLane>
struct lane_bounds {
  selection_bounds runs[RunsPerLane];

  static GPUSORT_DEVICE constexpr int size() { return RunsPerLane; }
  GPUSORT_DEVICE selection_bounds& operator[](int j) { return runs[j]; }
};

/// The same in memory, for any number of runs.
struct many_bounds {
  selection_bounds* runs;
  int count;

  GPUSORT_DEVICE int size() const { return count; }
  GPUSORT_DEVICE selection_bounds& operator[](int j) { return runs[j]; }
};

/// The first place in [low, high) of which is_before is false, looked for outwards from `guess` in
/// steps that double. In the interval whatever is_before says.
template <class IsBefore>
GPUSORT_DEVICE std::uint64_t gallop(std::uint64_t low, std::uint64_t high, std::uint64_t guess,
                                    std::uint64_t step, const IsBefore& is_before) {
  bool is_galloping = true, is_first = true, upwards = false;
  std::uint64_t place = guess;
  while (low < high) {
    const bool before = is_before(place);
    if (is_first) upwards = before;
    is_first = false;
    is_galloping &= before == upwards;
    (before ? low : high) = before ? place + 1 : place;
    place = low + (high - low) / 2;
    if (is_galloping && step < high - low) place = upwards ? low + step : high - 1 - step;
    step *= 2;
  }
  return low;
}

/// The sum over a warp, in all lanes.
GPUSORT_DEVICE std::uint64_t warp_sum(std::uint64_t x) {
#pragma unroll
  for (int i = 0; i < 5; ++i) x += __shfl_xor_sync(~0u, x, 1 << i);
  return x;
}

/// The sum over this lane and those before it.
GPUSORT_DEVICE std::uint64_t warp_prefix(std::uint64_t x) {
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t other = __shfl_up_sync(~0u, x, 1 << i);
    if (lane_id() >= 1 << i) x += other;
  }
  return x;
}

/// A warp finds how many elements of each of k runs are among the first `rank` of their merged
/// order, in which equivalent elements come from the lower run first. Lane l has the runs from
/// l * bounds.size() on; bounds[j] are its j-th's, all of the run at first; in the end
/// bounds[j].low is the answer. run_at(i).load(place) reads run i.
///
/// Quick select: a pivot is ranked in all runs at once, and its ranks become bounds. The pivot is
/// where the runs would be cut if all were alike, which brings it near the rank sought; now and
/// then where they would be cut if each were behind the last one, as where all elements are
/// equivalent; or the middle of a run. Places break all ties, so each pivot leaves less. Any
/// comparator: the lower bounds never add up to more than `rank`, nor the upper ones to less, and
/// each fourth round halves some run at least. Source: paper 003, section 5.2.2, algorithm 3.
template <class RunAt, class Bounds, class Compare>
GPUSORT_DEVICE void multiway_select(const RunAt& run_at, std::uint64_t rank, Bounds& bounds,
                                    Compare& compare) {
  const int first_run = lane_id() * bounds.size();
  std::uint64_t left = rank;  // to be selected
  for (int round = 0;; ++round) {
    std::uint64_t width = 0;
#pragma unroll
    for (int j = 0; j < bounds.size(); ++j) width += bounds[j].width();
    const std::uint64_t prefix = warp_prefix(width);
    const std::uint64_t all = __shfl_sync(~0u, prefix, 31);
    if (left == 0 || left == all) break;
    const bool bisects = round % 4 == 1 && round > 1, joins = round % 4 == 3;
    const float share = bisects ? 0.5f : static_cast<float>(left) / static_cast<float>(all);

    // The pivot's run is where the runs, one behind the other, would be cut.
    std::uint64_t target = bisects ? all / 2 : left;
    const int owner = __ffs(__ballot_sync(~0u, prefix > target)) - 1;
    target -= prefix - width;
    int pivot_run = 0;
    std::uint64_t pivot_place = 0;
    bool is_found = false;
#pragma unroll
    for (int j = 0; j < bounds.size(); ++j) {
      const std::uint64_t w = bounds[j].width();
      if (!is_found && target < w) {
        is_found = true;
        pivot_run = first_run + j;
        const auto place = static_cast<std::uint64_t>(share * static_cast<float>(w));
        pivot_place = bounds[j].low + (joins ? target : min_of(place, w - 1));
      }
      target -= w;
    }
    pivot_run = __shfl_sync(~0u, pivot_run, owner);
    pivot_place = __shfl_sync(~0u, pivot_place, owner);
    const auto pivot = run_at(pivot_run).load(pivot_place);

    std::uint64_t before = 0;
#pragma unroll
    for (int j = 0; j < bounds.size(); ++j) {
      const int i = first_run + j;
      const selection_bounds b = bounds[j];
      std::uint64_t found = i == pivot_run ? pivot_place : b.low;
      if (i != pivot_run && b.width() > 0) {
        const auto run = run_at(i);
        const auto distance = static_cast<std::uint64_t>(share * static_cast<float>(b.width()));
        const std::uint64_t guess = b.low + min_of(distance, b.width() - 1);
        // A guess errs by about the root of what it has counted.
        const std::uint64_t nearest = min_of(guess - b.low, b.high - guess);
        const int log_step = (64 - __clzll(static_cast<long long>(nearest))) / 2;
        found = gallop(b.low, b.high, guess, std::uint64_t{1} << log_step, [&](std::uint64_t p) {
          return i < pivot_run ? !compare(pivot, run.load(p)) : compare(run.load(p), pivot);
        });
      }
      bounds[j].rank = found;
      before += found - b.low;
    }
    before = warp_sum(before);
#pragma unroll
    for (int j = 0; j < bounds.size(); ++j) {
      if (before > left) {
        bounds[j].high = bounds[j].rank;
      } else {
        bounds[j].low = bounds[j].rank + (before < left && first_run + j == pivot_run);
      }
    }
    if (before <= left) left -= before + (before < left);
  }
#pragma unroll
  for (int j = 0; j < bounds.size(); ++j) {
    if (left > 0) bounds[j].low = bounds[j].high;
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

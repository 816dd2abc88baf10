// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "selection.hpp"

namespace papers {

/// Holds what a lane knows of a run: its first `lowest` elements are below the rank, those from
/// `highest` on are not; `below` of them precede the pivot and `not_above` do not follow it.
struct ranked_run {
  std::uint64_t lowest, highest, below, not_above;
};

/// Returns the first place in [lowest, highest) where a predicate, true for a prefix, does not
/// hold.
template <class Predicate>
GPUSORT_DEVICE std::uint64_t partition_point(std::uint64_t lowest, std::uint64_t highest,
                                             Predicate holds) {
  while (lowest < highest) {
    const std::uint64_t middle = lowest + (highest - lowest) / 2;
    if (holds(middle)) {
      lowest = middle + 1;
    } else {
      highest = middle;
    }
  }
  return lowest;
}

/// Returns a run with elements that are still unknown: the first such one from run `start` on,
/// cyclically.
GPUSORT_DEVICE int run_with_unknown(const ranked_run* runs, int k, int start) {
  int nearest = k;
  for (int i = tile::lane_id(); i < k; i += tile::warp_size) {
    const int distance = i >= start ? i - start : i - start + k;
    if (runs[i].lowest < runs[i].highest) nearest = detail::min_of(nearest, distance);
  }
#pragma unroll
  for (int mask = tile::warp_size / 2; mask > 0; mask /= 2) {
    nearest = detail::min_of(nearest, tile::shuffle_xor(nearest, mask));
  }
  return (start + nearest) % k;
}

/// Distributes the pivot's equivalents that are below the rank: the first `missing` of them, in the
/// order of the runs. All lanes call.
GPUSORT_DEVICE void distribute_equals(const ranked_run* runs, int k, std::uint64_t missing,
                                      std::uint64_t* positions) {
  const int lane = tile::lane_id();
  for (int first = 0; first < k; first += tile::warp_size) {
    const int i = first + lane;
    const std::uint64_t equals = i < k ? runs[i].not_above - runs[i].below : 0;
    std::uint64_t up_to_here = equals;
#pragma unroll
    for (int distance = 1; distance < tile::warp_size; distance *= 2) {
      const std::uint64_t before = __shfl_up_sync(tile::full_warp, up_to_here, distance);
      if (lane >= distance) up_to_here += before;
    }
    const std::uint64_t before = up_to_here - equals;
    const std::uint64_t taken = before < missing ? detail::min_of(equals, missing - before) : 0;
    if (i < k) positions[i] = runs[i].below + taken;
    const std::uint64_t all = __shfl_sync(tile::full_warp, up_to_here, tile::warp_size - 1);
    missing -= detail::min_of(missing, all);
  }
}

/// Selects by parallel multisequence quick select, with duplicates: all lanes rank a pivot, a
/// pseudorandom element of a pseudorandom run, in their runs by two binary searches, and keep the
/// side of it where the rank is. Expected O(log n) rounds on uniform keys. Source: paper 003,
/// section 5.2.2, algorithm 3.
template <class Array, class Compare>
__global__ void __launch_bounds__(tile::warp_size)
    quick_selection_kernel(selection_task<Array> task, Compare compare) {
  using T = typename Array::value_type;
  extern __shared__ __align__(16) unsigned char raw[];
  auto* const runs = reinterpret_cast<ranked_run*>(raw);
  const int lane = tile::lane_id();
  const std::uint64_t rank = task.ranks[blockIdx.x];
  std::uint64_t unknown = 0;
  for (int i = lane; i < task.k; i += tile::warp_size) {
    const std::uint64_t count = task.runs[i].count;
    runs[i] = {0, count, 0, 0};
    unknown += count;
  }
  unknown = sum_of_warp(unknown);
  __syncwarp();

  std::uint64_t missing = 0;  // of the pivot's equivalents
  for (std::uint64_t random = rank; unknown > 0;) {
    random = detail::mix_bits(random);
    const int from = run_with_unknown(runs, task.k, static_cast<int>(random % task.k));
    const std::uint64_t first = runs[from].lowest, choices = runs[from].highest - first;
    const T pivot = task.runs[from].data.load(first + (random >> 16) % choices);
    std::uint64_t below = 0, not_above = 0;
    for (int i = lane; i < task.k; i += tile::warp_size) {
      const Array items = task.runs[i].data;
      ranked_run run = runs[i];
      run.not_above = partition_point(run.lowest, run.highest, [&](std::uint64_t place) {
        return !compare(pivot, items.load(place));
      });
      run.below = partition_point(run.lowest, run.not_above, [&](std::uint64_t place) {
        return compare(items.load(place), pivot);
      });
      below += run.below;
      not_above += run.not_above;
      runs[i].not_above = run.not_above;
      runs[i].below = run.below;
    }
    below = sum_of_warp(below);
    not_above = sum_of_warp(not_above);
    __syncwarp();
    if (below <= rank && rank <= not_above) {
      missing = rank - below;
      break;
    }
    for (int i = lane; i < task.k; i += tile::warp_size) {
      if (not_above < rank) {
        runs[i].lowest = runs[i].not_above;
      } else {
        runs[i].highest = runs[i].below;
      }
    }
    __syncwarp();
  }
  distribute_equals(runs, task.k, missing, task.positions + std::uint64_t{blockIdx.x} * task.k);
}

struct quick_selection {
  template <class Array, class Compare>
  static void run(cudaStream_t stream, const selection_task<Array>& task, std::size_t ranks,
                  Compare compare) {
    launch_selection(stream, quick_selection_kernel<Array, Compare>, sizeof(ranked_run), task,
                     ranks, compare);
  }
};

}  // namespace papers

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "selection.hpp"

namespace papers {

/// Holds what is known of a run: its first `lowest` elements are below the rank, those from
/// `highest` on are not, and its first `tried`, the last of which is the sample, may be. A run of
/// which nothing has been tried has its first element for a sample. Until a run is settled, lowest
/// == highest, tried > lowest or both are 0.
template <class T>
struct tried_run {
  std::uint64_t lowest, tried, highest;
  T sample;

  GPUSORT_DEVICE bool is_settled() const { return lowest == highest; }

  /// Tries half of what is unknown.
  GPUSORT_DEVICE void try_half() { tried = lowest + (highest - lowest + 1) / 2; }
};

template <class T>
struct best_sample {
  T sample;
  int run;  // -1: none
};

/// Returns the unsettled run with the smallest sample, among equivalent ones the first; or with the
/// largest, among equivalent ones the last. A reduction over the warp.
template <bool Smallest, class T, class Compare>
GPUSORT_DEVICE int find_run(const tried_run<T>* runs, int k, Compare& compare) {
  const auto better = [&](const best_sample<T>& x, const best_sample<T>& y) {
    if (x.run < 0 || y.run < 0) return x.run < 0 ? y : x;
    const bool x_is_first = x.run < y.run;
    const best_sample<T>&first = x_is_first ? x : y, &last = x_is_first ? y : x;
    return compare(last.sample, first.sample) == Smallest ? last : first;
  };
  best_sample<T> best{{}, -1};
  for (int i = tile::lane_id(); i < k; i += tile::warp_size) {
    const bool counts = !runs[i].is_settled() && (Smallest || runs[i].tried > 0);
    if (counts) best = better(best, {runs[i].sample, i});
  }
#pragma unroll
  for (int mask = tile::warp_size / 2; mask > 0; mask /= 2) {
    best = better(best, tile::shuffle_xor(best, mask));
  }
  return best.run;
}

/// Selects by Osipov's sequential selection: a binary search in all runs at once, one step in one
/// run at a time. While not more than `rank` elements are tried, the smallest sample is below the
/// rank, and more of its run is tried; otherwise the largest is not, and less is. The printed
/// algorithm leaves open how a run that has been tried in vain is settled; here the bounds are kept
/// apart from what is tried, and each step moves a bound or leads to one that does. O(k log n)
/// steps of O(k / 32 + log 32) comparisons, whatever the keys. Source: paper 003, section 5.2.1,
/// algorithm 1.
template <class Array, class Compare>
__global__ void __launch_bounds__(tile::warp_size)
    sequential_selection_kernel(selection_task<Array> task, Compare compare) {
  using T = typename Array::value_type;
  extern __shared__ __align__(16) unsigned char raw[];
  auto* const runs = reinterpret_cast<tried_run<T>*>(raw);
  const int lane = tile::lane_id();
  const std::uint64_t rank = task.ranks[blockIdx.x];
  for (int i = lane; i < task.k; i += tile::warp_size) {
    const detail::sorted_run<Array> run = task.runs[i];
    runs[i].lowest = runs[i].tried = 0;
    runs[i].highest = run.count;
    if (run.count > 0) runs[i].sample = run.data.load(0);
  }
  __syncwarp();

  std::uint64_t selected = 0, tried = 0;  // sums over all runs
  T largest_selected{};                   // one of those that are below the rank
  while (selected < rank) {
    const bool is_more = tried <= rank;
    const int i =
        is_more ? find_run<true>(runs, task.k, compare) : find_run<false>(runs, task.k, compare);
    if (i < 0) break;
    const Array items = task.runs[i].data;
    tried_run<T> run = runs[i];
    const std::uint64_t selected_before = run.lowest, tried_before = run.tried;
    if (is_more) {
      largest_selected = run.sample;
      run.lowest = run.tried > 0 ? run.tried : 1;
      run.try_half();
    } else {
      run.highest = run.tried - 1;
      run.try_half();
      while (run.tried > run.lowest && compare(items.load(run.tried - 1), largest_selected)) {
        run.lowest = run.tried;
        run.try_half();
      }
    }
    if (run.tried > 0) run.sample = items.load(run.tried - 1);
    selected += run.lowest - selected_before;
    tried += run.tried - tried_before;
    __syncwarp();
    if (lane == 0) runs[i] = run;
    __syncwarp();
  }
  for (int i = lane; i < task.k; i += tile::warp_size) {
    task.positions[std::uint64_t{blockIdx.x} * task.k + i] = runs[i].lowest;
  }
}

struct sequential_selection {
  template <class Array, class Compare>
  static void run(cudaStream_t stream, const selection_task<Array>& task, std::size_t ranks,
                  Compare compare) {
    launch_selection(stream, sequential_selection_kernel<Array, Compare>,
                     sizeof(tried_run<typename Array::value_type>), task, ranks, compare);
  }
};

}  // namespace papers

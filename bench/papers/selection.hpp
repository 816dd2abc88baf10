// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace papers {

namespace detail = gpusort::detail;
namespace tile = gpusort::detail::tile;

// Multisequence selection: of the elements of several sorted runs, how many of each run are among
// the first `rank` of the merged order. Equivalent elements are ordered by the number of their run,
// then by their place, so there is one answer, and a larger rank's contains a smaller one's. One
// warp works on one rank. For honest comparators only.

/// Runs and ranks are in device memory. positions[r * k + i]: elements of run i below ranks[r].
template <class Array>
struct selection_task {
  const detail::sorted_run<Array>* runs;
  int k;
  const std::uint64_t* ranks;
  std::uint64_t* positions;
};

/// Launches one warp per rank, with StateBytes of shared memory per run.
template <class Kernel, class Array, class Compare>
void launch_selection(cudaStream_t stream, Kernel kernel, std::size_t state_bytes,
                      const selection_task<Array>& task, std::size_t ranks, Compare compare) {
  detail::launch(kernel, ranks, tile::warp_size, state_bytes * static_cast<std::size_t>(task.k),
                 stream, task, compare);
}

template <class T>
GPUSORT_DEVICE T sum_of_warp(T x) {
#pragma unroll
  for (int mask = tile::warp_size / 2; mask > 0; mask /= 2) x += tile::shuffle_xor(x, mask);
  return x;
}

}  // namespace papers

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <type_traits>

// Bitonic sort as the paper writes it: parts of a phase are sorted in alternating directions, a
// thread has one pair, and a step is a launch. Any n by virtual padding: the last part of a phase
// is ascending, so places from n on behave like infinity and their pairs do nothing. Source: paper
// 004, sections 3.1.5 and 3.4.

namespace papers {

namespace detail = gpusort::detail;

/// The pair of thread i in the step of `log_span` that belongs to the phase of `log_phase`.
template <class Place>
struct network_pair {
  Place lower;
  Place upper;
  bool is_ascending;

  GPUSORT_DEVICE network_pair(Place i, Place n, int log_phase, int log_span) {
    const Place half = Place{1} << (log_span - 1);
    lower = 2 * i - (i & (half - 1));
    upper = lower + half;
    const Place part = lower >> log_phase;
    is_ascending = (part & 1) != 0 || part == (n - 1) >> log_phase;
  }
};

template <int ThreadsPerBlock, class Place, class Index, class Compare, class Swap>
__global__ void __launch_bounds__(ThreadsPerBlock)
    network_step_kernel(Index first, Place n, int log_phase, int log_span, Compare compare,
                        Swap swap) {
  const Place i = Place{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  const network_pair<Place> pair(i, n, log_phase, log_span);
  if (pair.upper >= n) return;
  const Index lower = static_cast<Index>(first + pair.lower);
  const Index upper = static_cast<Index>(first + pair.upper);
  if (compare(upper, lower) == pair.is_ascending) swap(lower, upper);
}

template <int ThreadsPerBlock, class Place, class Index, class Fetch, class Compare, class Swap>
__global__ void __launch_bounds__(ThreadsPerBlock)
    network_fetch_step_kernel(Index first, Place n, int log_phase, int log_span, Fetch fetch,
                              Compare compare, Swap swap) {
  const Place i = Place{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  const network_pair<Place> pair(i, n, log_phase, log_span);
  if (pair.upper >= n) return;
  const Index lower = static_cast<Index>(first + pair.lower);
  const Index upper = static_cast<Index>(first + pair.upper);
  if (compare(fetch(upper), fetch(lower)) == pair.is_ascending) swap(lower, upper);
}

/// The paper's places are ints; n is at most 2^31 where the index has 32 bits.
template <class Index>
using network_place = std::make_unsigned_t<Index>;

inline constexpr int network_threads = 512;

/// Calls step(log_phase, log_span, blocks) for every step of the network.
template <class Step>
void for_each_network_step(std::uint64_t n, Step step) {
  const int log_n = detail::ceil_log2(n);
  for (int log_phase = 1; log_phase <= log_n; ++log_phase) {
    for (int log_span = log_phase; log_span > 0; --log_span) {
      // The pairs of the last, shorter span are numbered as if it were whole.
      const std::uint64_t half = std::uint64_t{1} << (log_span - 1);
      const std::uint64_t pairs = detail::ceil_div(n, 2 * half) * half;
      step(log_phase, log_span, detail::ceil_div<std::uint64_t>(pairs, network_threads));
    }
  }
}

/// Sorts the elements at the n indices from `first` on by compare(i, j) and swap(i, j).
template <class Index, class Compare, class Swap>
void bitonic_network(cudaStream_t stream, Index first, std::uint64_t n, Compare compare,
                     Swap swap) {
  for_each_network_step(n, [&](int log_phase, int log_span, std::uint64_t blocks) {
    detail::launch(network_step_kernel<network_threads, network_place<Index>, Index, Compare, Swap>,
                   blocks, network_threads, 0, stream, first, n, log_phase, log_span, compare,
                   swap);
  });
}

/// Sorts by the network with fetch(i), compare(a, b) and swap(i, j).
template <class Index, class Fetch, class Compare, class Swap>
void bitonic_network(cudaStream_t stream, Index first, std::uint64_t n, Fetch fetch,
                     Compare compare, Swap swap) {
  for_each_network_step(n, [&](int log_phase, int log_span, std::uint64_t blocks) {
    detail::launch(network_fetch_step_kernel<network_threads, network_place<Index>, Index, Fetch,
                                             Compare, Swap>,
                   blocks, network_threads, 0, stream, first, n, log_phase, log_span, fetch,
                   compare, swap);
  });
}

/// Sorts (first phases), or merges (last steps of a phase), 2 * ThreadsPerBlock elements in shared
/// memory by one block. Source: paper 004, section 3.4.5.
template <int ThreadsPerBlock, class T, class Compare>
__global__ void __launch_bounds__(ThreadsPerBlock)
    network_tiles_kernel(T* data, std::uint64_t n, int first_phase, int last_phase,
                         Compare compare) {
  constexpr int items = 2 * ThreadsPerBlock;
  constexpr int log_items = detail::ceil_log2(items);
  __shared__ T tile[items];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * items;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < items && begin + i < n; i += ThreadsPerBlock) tile[i] = data[begin + i];
  for (int log_phase = first_phase; log_phase <= last_phase; ++log_phase) {
    for (int log_span = detail::min_of(log_phase, log_items); log_span > 0; --log_span) {
      __syncthreads();
      const std::uint64_t pair_number = std::uint64_t{blockIdx.x} * ThreadsPerBlock + thread;
      const network_pair<std::uint64_t> pair(pair_number, n, log_phase, log_span);
      T& lower = tile[pair.lower - begin];
      T& upper = tile[pair.upper - begin];
      if (pair.upper < n && compare(upper, lower) == pair.is_ascending) {
        const T held = lower;
        lower = upper;
        upper = held;
      }
    }
  }
  __syncthreads();
  for (int i = thread; i < items && begin + i < n; i += ThreadsPerBlock) data[begin + i] = tile[i];
}

template <int ThreadsPerBlock, class T, class Compare>
__global__ void __launch_bounds__(ThreadsPerBlock)
    network_array_step_kernel(T* data, std::uint64_t n, int log_phase, int log_span,
                              Compare compare) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  const network_pair<std::uint64_t> pair(i, n, log_phase, log_span);
  if (pair.upper >= n) return;
  const T lower = data[pair.lower], upper = data[pair.upper];
  if (compare(upper, lower) == pair.is_ascending) {
    data[pair.lower] = upper;
    data[pair.upper] = lower;
  }
}

/// Sorts an array of small elements: shared memory for spans of up to 2 * network_threads.
template <class T, class Compare>
void bitonic_network_sort(cudaStream_t stream, T* data, std::uint64_t n, Compare compare) {
  constexpr int log_tile = detail::ceil_log2(2 * network_threads);
  const auto in_tiles = [&](int first_phase, int last_phase) {
    detail::launch(network_tiles_kernel<network_threads, T, Compare>,
                   detail::ceil_div<std::uint64_t>(n, 2 * network_threads), network_threads, 0,
                   stream, data, n, first_phase, last_phase, compare);
  };
  in_tiles(1, log_tile);
  for_each_network_step(n, [&](int log_phase, int log_span, std::uint64_t blocks) {
    if (log_phase <= log_tile || log_span < log_tile) return;
    if (log_span == log_tile) return in_tiles(log_phase, log_phase);
    detail::launch(network_array_step_kernel<network_threads, T, Compare>, blocks, network_threads,
                   0, stream, data, n, log_phase, log_span, compare);
  });
}

}  // namespace papers

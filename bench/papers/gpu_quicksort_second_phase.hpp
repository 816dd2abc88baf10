// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "bitonic_network.hpp"
#include "gpu_quicksort_first_phase.hpp"

namespace papers {

// GPU-Quicksort's second phase: a block sorts a sequence by itself. Source: paper 000, section
// 3.2.2, algorithm 3.

/// Sorts the keys, which are in shared memory: a bitonic network, for any n.
template <int Threads>
GPUSORT_DEVICE void sort_keys_by_block(std::uint32_t* keys, std::uint32_t n) {
  const int log_n = detail::ceil_log2(n);
  for (int log_phase = 1; log_phase <= log_n; ++log_phase) {
    for (int log_span = log_phase; log_span > 0; --log_span) {
      const std::uint32_t pairs = detail::round_up(n, 1u << log_span) / 2;
      for (std::uint32_t i = threadIdx.x; i < pairs; i += Threads) {
        const network_pair<std::uint32_t> pair(i, n, log_phase, log_span);
        if (pair.upper >= n) continue;
        const std::uint32_t lower = keys[pair.lower], upper = keys[pair.upper];
        if ((upper < lower) == pair.is_ascending) {
          keys[pair.lower] = upper;
          keys[pair.upper] = lower;
        }
      }
      __syncthreads();
    }
  }
}

/// Sorts a sequence in either buffer into the primary one: the paper's altsort.
template <int Threads>
GPUSORT_DEVICE void sort_short_sequence(const key_buffers& buffers, const key_sequence& sequence) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto* const keys = reinterpret_cast<std::uint32_t*>(raw);
  const std::uint32_t* const from = buffers.at(sequence.is_in_auxiliary) + sequence.begin;
  std::uint32_t* const to = buffers.primary + sequence.begin;
  const std::uint32_t n = sequence.length();
  for (std::uint32_t i = threadIdx.x; i < n; i += Threads) keys[i] = from[i];
  __syncthreads();
  sort_keys_by_block<Threads>(keys, n);
  for (std::uint32_t i = threadIdx.x; i < n; i += Threads) to[i] = keys[i];
}

/// Holds the sequences that a block has yet to sort. The shorter part is above the longer one, and
/// is parted first: at most half as long each time, so one sequence waits for each bit of the
/// length.
struct sequence_stack {
  static constexpr int most = 32;

  key_sequence sequences[most];

  /// Lays both on `depth` sequences. By one thread.
  GPUSORT_DEVICE void push(int depth, const key_sequence& left, const key_sequence& right) {
    const bool left_is_shorter = left.length() < right.length();
    sequences[depth] = left_is_shorter ? right : left;
    sequences[depth + 1] = left_is_shorter ? left : right;
  }
};

/// Sorts a sequence by each block: the paper's lqsort. Sequences are compared with the limit when
/// they are taken from the stack, not when they are pushed, so that one which is short when it
/// arrives is not parted. A barrier, which algorithm 3 lacks, keeps pivots from the keys that
/// others still read.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    sort_sequences_kernel(key_buffers buffers, const key_sequence* sequences,
                          std::uint32_t min_length) {
  using block_scan = cub::BlockScan<std::uint64_t, Threads>;
  __shared__ typename block_scan::TempStorage storage;
  __shared__ sequence_stack stack;
  if (threadIdx.x == 0) stack.sequences[0] = sequences[blockIdx.x];
  for (int depth = 1; depth > 0;) {
    __syncthreads();
    const key_sequence whole = stack.sequences[--depth];
    if (whole.length() < min_length) {
      sort_short_sequence<Threads>(buffers, whole);
      continue;
    }
    const bool is_in_auxiliary = whole.is_in_auxiliary;
    const std::uint32_t* const from = buffers.at(is_in_auxiliary);
    const keys_to_part<Threads> mine{from, buffers.at(!is_in_auxiliary), whole.begin, whole.end,
                                     median_of(from, whole.begin, whole.end)};
    std::uint64_t before, all;
    block_scan(storage).ExclusiveSum(mine.count().both, before, all);
    const std::uint32_t left_end = whole.begin + side_counts(all).below();
    const std::uint32_t right_begin = whole.end - side_counts(all).above();
    mine.move(whole.begin + side_counts(before).below(), right_begin + side_counts(before).above());
    __syncthreads();
    fill_by_block<Threads>(buffers.primary, left_end, right_begin, mine.pivot);
    if (threadIdx.x == 0) {
      stack.push(depth, {whole.begin, left_end, !is_in_auxiliary},
                 {right_begin, whole.end, !is_in_auxiliary});
    }
    depth += 2;
  }
}

}  // namespace papers

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "grs_tile.hpp"
#include "record_arrays.hpp"

namespace papers {

/// Writes the tuples of key and index that are sorted in place of records.
template <int ThreadsPerBlock>
__global__ void __launch_bounds__(ThreadsPerBlock)
    grs_tuples_kernel(const std::uint32_t* in, std::uint32_t words_per_key, std::uint64_t n,
                      std::uint32_t* keys, std::uint32_t* indices) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i >= n) return;
  keys[i] = in[i * words_per_key];
  indices[i] = static_cast<std::uint32_t>(i);
}

/// Puts records, a tile of the output at a time, where the sorted indices say. Source: paper 002,
/// section III, figures 3 and 5.
template <int ThreadsPerBlock, class Piece>
__global__ void __launch_bounds__(ThreadsPerBlock)
    grs_gather_kernel(record_arrays in, record_arrays out, std::uint64_t n,
                      const std::uint32_t* __restrict__ sorted_indices) {
  constexpr int items_per_thread = grs_items_per_tile / ThreadsPerBlock;
  __shared__ std::uint32_t indices[grs_items_per_tile];
  const int thread = static_cast<int>(threadIdx.x);
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * grs_items_per_tile;
  const int count = grs_items_of_tile(begin, n);
#pragma unroll
  for (int k = 0; k < items_per_thread; ++k) {
    const int i = k * ThreadsPerBlock + thread;
    if (i < count) indices[i] = sorted_indices[begin + i];
  }
  __syncthreads();
  for (int c = 0; c < in.column_count; ++c) {
    grs_move_rows<ThreadsPerBlock>(
        static_cast<const std::uint32_t*>(in.columns[c]), out.columns[c], 1, count,
        [&](std::uint32_t slot) { return indices[slot]; },
        [&](std::uint32_t slot) { return begin + slot; });
  }
  if (in.words_per_row == 0) return;
  grs_move_rows<ThreadsPerBlock>(
      reinterpret_cast<const Piece*>(in.rows), reinterpret_cast<Piece*>(out.rows),
      in.words_per_row / (sizeof(Piece) / sizeof(std::uint32_t)), count,
      [&](std::uint32_t slot) { return indices[slot]; },
      [&](std::uint32_t slot) { return begin + slot; });
}

}  // namespace papers

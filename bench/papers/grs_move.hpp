// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "grs_tile.hpp"
#include "record_arrays.hpp"

namespace papers {

/// Tells where the items of a tile go. Slots are in the order of digits, so that neighbouring slots
/// are neighbouring destinations but where a digit ends.
struct grs_tile_map {
  std::uint16_t source[grs_items_per_tile];       // by slot: which item of the tile
  std::uint32_t destination[grs_items_per_tile];  // by slot: where in the output
  std::uint32_t counts[grs_digits];               // of the last nobody asks
  std::uint32_t first_slot[grs_digits];
  std::uint32_t shift[grs_digits];  // from a slot to its destination, modulo 2^32

  /// Makes the destinations by all threads. offsets[digit * tiles + tile]: the destination of the
  /// tile's first item with that digit. Gives the slots of the thread's items, which are
  /// ThreadsPerBlock apart.
  template <int ThreadsPerBlock, int ItemsPerThread>
  GPUSORT_DEVICE void make(const grs_keys& keys, std::uint64_t begin, int count,
                           const std::uint16_t* ranks, const std::uint32_t* offsets,
                           std::uint32_t (&slots)[ItemsPerThread]) {
    const int thread = static_cast<int>(threadIdx.x);
    std::uint32_t first = 0;
    if (thread < grs_digits) {
      const std::uint64_t i = std::uint64_t{gridDim.x} * threadIdx.x + blockIdx.x;
      first = offsets[i];
      if (thread + 1 < grs_digits) counts[thread] = offsets[i + 1] - first;
    }
    __syncthreads();
    if (thread < grs_digits) {
      std::uint32_t before = 0;
      for (int digit = 0; digit < thread; ++digit) before += counts[digit];
      first_slot[thread] = before;
      shift[thread] = first - before;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ItemsPerThread; ++k) {
      const int i = k * ThreadsPerBlock + thread;
      if (i >= count) continue;
      const std::uint32_t digit = keys.digit(begin + i);
      slots[k] = first_slot[digit] + ranks[begin + i];
      source[slots[k]] = static_cast<std::uint16_t>(i);
      destination[slots[k]] = shift[digit] + slots[k];
    }
    __syncthreads();
  }
};

/// Moves records, a tile at a time, to where the digit of this pass puts them: phase 3. Columns go
/// through shared memory, where a tile is put in the order of digits before it is written. Rows are
/// written in that order too, but read from where they are: a tile of 20 fields would fill 80 KB.
/// Source: paper 002, section VI, figures 3 and 5.
template <int ThreadsPerBlock, class Piece>
__global__ void __launch_bounds__(ThreadsPerBlock)
    grs_move_kernel(record_arrays in, record_arrays out, grs_keys keys, std::uint64_t n,
                    const std::uint16_t* __restrict__ ranks,
                    const std::uint32_t* __restrict__ offsets) {
  constexpr int items_per_thread = grs_items_per_tile / ThreadsPerBlock;
  constexpr int columns_at_once = 4;
  __shared__ grs_tile_map map;
  __shared__ std::uint32_t staged[columns_at_once][grs_items_per_tile];
  const int thread = static_cast<int>(threadIdx.x);
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * grs_items_per_tile;
  const int count = grs_items_of_tile(begin, n);
  std::uint32_t slots[items_per_thread];
  map.template make<ThreadsPerBlock>(keys, begin, count, ranks, offsets, slots);

  for (int first = 0; first < in.column_count; first += columns_at_once) {
#pragma unroll
    for (int c = 0; c < columns_at_once; ++c) {
      if (first + c >= in.column_count) break;
#pragma unroll
      for (int k = 0; k < items_per_thread; ++k) {
        const int i = k * ThreadsPerBlock + thread;
        if (i < count) staged[c][slots[k]] = in.columns[first + c][begin + i];
      }
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < columns_at_once; ++c) {
      if (first + c >= in.column_count) break;
#pragma unroll
      for (int k = 0; k < items_per_thread; ++k) {
        const int slot = k * ThreadsPerBlock + thread;
        if (slot < count) out.columns[first + c][map.destination[slot]] = staged[c][slot];
      }
    }
    __syncthreads();
  }
  if (in.words_per_row == 0) return;
  grs_move_rows<ThreadsPerBlock>(
      reinterpret_cast<const Piece*>(in.rows), reinterpret_cast<Piece*>(out.rows),
      in.words_per_row / (sizeof(Piece) / sizeof(std::uint32_t)), count,
      [&](std::uint32_t slot) { return begin + map.source[slot]; },
      [&](std::uint32_t slot) { return map.destination[slot]; });
}

}  // namespace papers

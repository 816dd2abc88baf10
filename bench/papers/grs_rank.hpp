// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

#include "grs_tile.hpp"

namespace papers {

namespace tile = gpusort::detail::tile;

/// Counts, in phase 1, how many items of each digit a tile has, and ranks each item among those of
/// the tile that have its digit. A thread counts consecutive items, digit by digit, which gives
/// ranks within the thread; the counts of the threads before it make them ranks within the tile.
/// histograms[digit * tiles + tile]. Source: paper 002, section VI.
template <int ThreadsPerBlock>
__global__ void __launch_bounds__(ThreadsPerBlock)
    grs_rank_kernel(grs_keys keys, std::uint64_t n, std::uint16_t* ranks,
                    std::uint32_t* histograms) {
  constexpr int items_per_thread = grs_items_per_tile / ThreadsPerBlock;
  constexpr int row = items_per_thread + 1;  // threads of a warp meet in no bank
  __shared__ std::uint32_t items[ThreadsPerBlock * row];
  __shared__ std::uint32_t counts[grs_digits][ThreadsPerBlock];
  const int thread = static_cast<int>(threadIdx.x);
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * grs_items_per_tile;
  const int count = grs_items_of_tile(begin, n);
  const auto item = [&](int i) -> std::uint32_t& {
    return items[i / items_per_thread * row + i % items_per_thread];
  };

#pragma unroll
  for (int k = 0; k < items_per_thread; ++k) {
    const int i = k * ThreadsPerBlock + thread;
    if (i < count) item(i) = keys.digit(begin + i);
  }
  for (int digit = 0; digit < grs_digits; ++digit) counts[digit][thread] = 0;
  __syncthreads();

  std::uint32_t* const mine = items + thread * row;
  const int left = count - thread * items_per_thread;
  const int mine_count = left < items_per_thread ? left : items_per_thread;  // may be negative
  for (int k = 0; k < mine_count; ++k) {
    const std::uint32_t digit = mine[k];
    mine[k] = counts[digit][thread]++ << grs_bits_per_digit | digit;
  }
  __syncthreads();

  for (int digit = tile::warp_id(); digit < grs_digits;
       digit += ThreadsPerBlock / tile::warp_size) {
    std::uint32_t before = 0;
    for (int t = tile::lane_id(); t < ThreadsPerBlock; t += tile::warp_size) {
      const std::uint32_t of_thread = counts[digit][t];
      const std::uint32_t up_to = tile::warp_prefix(of_thread);
      counts[digit][t] = before + up_to - of_thread;
      before += tile::shuffle_from(up_to, tile::warp_size - 1);
    }
    if (tile::lane_id() == 0) {
      histograms[std::uint64_t{gridDim.x} * static_cast<unsigned>(digit) + blockIdx.x] = before;
    }
  }
  __syncthreads();

  for (int k = 0; k < mine_count; ++k) {
    mine[k] = counts[mine[k] & (grs_digits - 1)][thread] + (mine[k] >> grs_bits_per_digit);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < items_per_thread; ++k) {
    const int i = k * ThreadsPerBlock + thread;
    if (i < count) ranks[begin + i] = static_cast<std::uint16_t>(item(i));
  }
}

}  // namespace papers

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/merge_path.hpp>
#include <gpusort/detail/tile/warp_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The exchanges of a merge of two runs in each of Pairs parts of a warp's items whose distance is
/// a multiple of warp_size, and the mirrored ones before them. Lanes have columns of items
/// meanwhile, so that all are between registers of one lane. The warp's part of the tile, from
/// warp_first on, is overwritten.
template <int Pairs, int ItemsPerThread, class T, int ItemsPerTile, class Compare>
GPUSORT_DEVICE void exchange_columns(padded_items<T, ItemsPerTile>& tile, int warp_first,
                                     T (&x)[ItemsPerThread], Compare& compare) {
  constexpr int rows = ItemsPerThread / Pairs, half = rows / 2;
  const int chunk = warp_first + lane_id() * ItemsPerThread;
  // Of the upper run the mirrored column.
  const int lower = warp_first + lane_id(), upper = lower ^ (warp_size - 1);
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) tile.template in_chunk<ItemsPerThread>(chunk, i) = x[i];
  __syncwarp();
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    x[i] = tile.at_distance(i % rows < half ? lower : upper, i * warp_size);
  }
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    const int mirror = i / rows * rows + rows - 1 - i % rows;
    if (i < mirror) compare_exchange(x[i], x[mirror], compare);
  }
#pragma unroll
  for (int b = ceil_log2(half) - 1; b >= 0; --b) {
    const int stride = 1 << b;
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if ((i & stride) == 0) compare_exchange(x[i], x[i + stride], compare);
    }
  }
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    tile.at_distance(i % rows < half ? lower : upper, i * warp_size) = x[i];
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) x[i] = tile.template in_chunk<ItemsPerThread>(chunk, i);
}

/// warp_sort of 16 items a lane, all of which exist, with the warp's part of a tile, from
/// warp_first on, to exchange columns: of the last two rounds all but one step are in registers.
template <class T, int ItemsPerTile, class Compare>
GPUSORT_DEVICE void warp_sort_in_tile(padded_items<T, ItemsPerTile>& tile, int warp_first,
                                      T (&x)[16], Compare& compare) {
  constexpr int items = 16, count = warp_size * items;
  thread_sort<true>(x, items, compare);
#pragma unroll 1
  for (int lanes = 2; lanes <= warp_size; lanes *= 2) {
    if (lanes < 16) {
      exchange_mirrored<true>(x, lanes, count, compare);
    } else if (lanes == 16) {
      exchange_columns<2>(tile, warp_first, x, compare);
    } else {
      exchange_columns<1>(tile, warp_first, x, compare);
    }
    warp_merge<true>(x, lanes < 16 ? lanes / 4 : 1, count, compare);
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

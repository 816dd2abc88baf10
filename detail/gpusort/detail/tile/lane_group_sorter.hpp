// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/merge_path.hpp>
#include <gpusort/detail/tile/padding_key.hpp>
#include <gpusort/detail/tile/warp_bitonic_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Groups of lanes sort a part of an array each, of at most ItemsPerLane elements for a lane, in
/// registers. Elements go through shared memory, a warp's own, so that neighbouring lanes move
/// neighbours.
template <class T, int ItemsPerLane>
struct lane_group_sorter {
  using items = padded_items<T, warp_size * ItemsPerLane>;

  /// Sorts the first `count` elements by a group of `lanes` lanes. All lanes of the warp; no group
  /// has more than `most` elements.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort(items& tile, const Array& array, int lanes, int count, int most,
                                  Compare& compare) {
    using last = padding_key<T, Compare>;
    const int lane = lane_id() & (lanes - 1), first = lane * ItemsPerLane;
    const int group = (lane_id() - lane) * ItemsPerLane;  // its first item in the tile
    T x[ItemsPerLane];
#pragma unroll
    for (int i = 0; i < ItemsPerLane; ++i) {
      if constexpr (last::is_known) x[i] = last::value();
      if (i * lanes + lane < count) x[i] = array.load(i * lanes + lane);
    }
    if constexpr (last::is_known) {
      // Any lane may begin with any item, and with padding.
      lane_group_bitonic_sort<true, ItemsPerLane>(x, lanes, lanes * ItemsPerLane,
                                                  lanes * ItemsPerLane, compare);
    } else {
#pragma unroll
      for (int i = 0; i < ItemsPerLane; ++i) {
        if (i * lanes + lane < count) tile[group + i * lanes + lane] = x[i];
      }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < ItemsPerLane; ++i) {
        if (first + i < count) x[i] = tile.template in_chunk<ItemsPerLane>(group + first, i);
      }
      lane_group_bitonic_sort<false, ItemsPerLane>(x, lanes, count, most, compare);
    }
#pragma unroll
    for (int i = 0; i < ItemsPerLane; ++i) {
      if (first + i < count) tile.template in_chunk<ItemsPerLane>(group + first, i) = x[i];
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < ItemsPerLane; ++i) {
      if (i * lanes + lane < count) {
        array.store(i * lanes + lane, tile[group + i * lanes + lane]);
      }
    }
    __syncwarp();
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

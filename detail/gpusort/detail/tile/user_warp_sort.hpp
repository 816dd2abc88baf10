// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/padding_key.hpp>
#include <gpusort/detail/tile/tile_elements.hpp>
#include <gpusort/detail/tile/warp_bitonic_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Exchanges items between lanes `mask` apart: the smaller go into the lower lane, which decides
/// for both.
template <class T, class Compare>
GPUSORT_DEVICE void exchange_lanes(T& x, int mask, int count, Compare& compare) {
  const int lane = lane_id(), lower = min_of(lane, lane ^ mask), upper = lower ^ mask;
  const T other = shuffle_xor(x, mask);
  bool is_wrong = false;
  if (lane == lower && upper < count) is_wrong = compare(other, x);
  x = select(__shfl_sync(full_warp, is_wrong, lower) != 0, other, x);
}

/// Sorts one item of each of the first `count` lanes, in the mirrored form of the network.
template <class T, class Compare>
GPUSORT_DEVICE void sort_lanes(T& x, int count, Compare& compare) {
#pragma unroll 1
  for (int lanes = 2; lanes <= warp_size; lanes *= 2) {
    exchange_lanes(x, lanes - 1, count, compare);
#pragma unroll 1
    for (int mask = lanes / 4; mask > 0; mask /= 2) exchange_lanes(x, mask, count, compare);
  }
}

/// A warp sorts what a user's kernel has in registers: lane l has the items from l * ItemsPerLane
/// on, of which the first `count` exist; all when IsFull.
template <class Key, class Value, int ItemsPerLane>
class user_warp_sort {
  template <class Order, bool Stable>
  using elements = tile_elements<Key, Value, Order, Stable>;

 public:
  template <bool Stable, bool IsFull, class Compare>
  static GPUSORT_DEVICE void sort(Key* keys, Value* values, int count, Compare compare) {
    const auto order = known_order<Key>(compare);
    using order_t = std::decay_t<decltype(order)>;
    using chosen = elements<order_t, Stable>;
    using element = typename chosen::element;
    const auto array = chosen::at(keys, values);
    const int first = lane_id() * ItemsPerLane;
    // Which of two equal integers is first cannot be seen.
    constexpr bool is_indexed = Stable && !(is_held_as_ordered_bits_v<Key, order_t, true> &&
                                            std::is_same_v<Value, no_value>);
    if constexpr (is_indexed) {
      using indexed = key_value<element, std::uint32_t>;
      indexed x[ItemsPerLane];
#pragma unroll
      for (int i = 0; i < ItemsPerLane; ++i) {
        if (IsFull || first + i < count) {
          x[i] = {array.load(i), static_cast<std::uint32_t>(first + i)};
        }
      }
      by_key_then_value<typename chosen::compare> by_order{{order}};
      sort_items<IsFull>(x, count, by_order);
#pragma unroll
      for (int i = 0; i < ItemsPerLane; ++i) {
        if (IsFull || first + i < count) array.store(i, x[i].key);
      }
    } else {
      using last = padding_key<element, typename chosen::compare>;
      element x[ItemsPerLane];
#pragma unroll
      for (int i = 0; i < ItemsPerLane; ++i) {
        if constexpr (last::is_known) x[i] = last::value();
        if (IsFull || first + i < count) x[i] = array.load(i);
      }
      typename chosen::compare by_order{order};
      sort_items<IsFull || last::is_known>(x, count, by_order);
#pragma unroll
      for (int i = 0; i < ItemsPerLane; ++i) {
        if (IsFull || first + i < count) array.store(i, x[i]);
      }
    }
  }

 private:
  static_assert((ItemsPerLane & (ItemsPerLane - 1)) == 0,
                "gpusort: a warp sorts a power of two of items for each lane");

  template <bool AllMayBeCompared, class T, class Compare>
  static GPUSORT_DEVICE void sort_items(T (&x)[ItemsPerLane], int count, Compare& compare) {
    if constexpr (ItemsPerLane == 1) {
      sort_lanes(x[0], count, compare);
    } else {
      warp_bitonic_sort<AllMayBeCompared, ItemsPerLane>(x, count, compare);
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

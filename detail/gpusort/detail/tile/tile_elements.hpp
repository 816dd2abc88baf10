// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Returns the order of `compare`; a transparent one in the one spelling that the library knows.
template <class Key, class Compare>
GPUSORT_DEVICE auto known_order(const Compare& compare) {
  using order = typename canonical_order<Key, Compare>::type;
  if constexpr (std::is_same_v<order, Compare>) {
    return order_of_elements<Key>(compare);
  } else {
    return order_of_elements<Key>(order{});
  }
}

/// Whether a tile may hold keys as unsigned integers: their order tells equivalent keys apart that
/// differ in their bits (-0.0 and +0.0), so it is not for stable sorts of floats.
template <class Key, class Order, bool Stable>
inline constexpr bool is_held_as_ordered_bits_v = is_arithmetic_key_v<Key> &&
                                                  sizeof(Key) <= 8 && is_less_or_greater_v<Order> &&
                                                  (!Stable || is_integer_key_v<Key>);

/// Tells how the tile holds keys; integers that are words as they are.
template <class Key, class Order, bool Stable>
using held_t = std::conditional_t<is_held_as_ordered_bits_v<Key, Order, Stable> &&
                                      !std::is_same_v<Key, as_ordered_bits::type<Key>>,
                                  as_ordered_bits, as_is>;

/// The arrays that a tile is filled from, what it holds, and the comparator of that.
template <class Key, class Value, class Order, bool Stable>
struct tile_elements {
  static_assert(is_trivially_relocatable_v<Key> && is_trivially_relocatable_v<Value>,
                "gpusort: keys and values that a block sorts must be trivially relocatable");
  using held = held_t<Key, Order, Stable>;
  using stored_key = stored_t<Key>;
  using array = key_value_array<stored_key, stored_t<Value>, held>;
  using element = typename array::value_type;
  using compare = by_key<by_stored_value<Order>>;

  static GPUSORT_DEVICE array at(Key* keys, Value* values) {
    return {reinterpret_cast<stored_key*>(keys), reinterpret_cast<stored_t<Value>*>(values)};
  }
};
template <class Key, class Order, bool Stable>
struct tile_elements<Key, no_value, Order, Stable> {
  static_assert(is_trivially_relocatable_v<Key>,
                "gpusort: keys and values that a block sorts must be trivially relocatable");
  using held = held_t<Key, Order, Stable>;
  using stored_key = stored_t<Key>;
  using array = key_array<stored_key, held>;
  using element = typename array::value_type;
  using compare = by_stored_value<Order>;

  static GPUSORT_DEVICE array at(Key* keys, no_value*) {
    return {reinterpret_cast<stored_key*>(keys)};
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

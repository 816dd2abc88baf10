// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// An element as a number of 64 bits that orders as the comparator does, where that is known: of
/// integers under less and greater, alone or beside a value. Of wider integers it is the upper
/// half, and not whole: elements with equal numbers need not be equivalent. So is a key beside a
/// value that decides between equal ones.
template <class T, class Compare>
struct order_preserving_bits {
  static constexpr bool is_known = false;
};

template <class Integer, bool Descending>
struct integer_number {
  static constexpr bool is_known = is_integer_key_v<Integer>;
  static constexpr bool is_whole = sizeof(Integer) <= 8;
  static constexpr int bits = is_whole ? 8 * sizeof(Integer) : 64;

  /// Below 2^bits.
  static GPUSORT_DEVICE std::uint64_t of(const Integer& x) {
    const auto ordered = order_bits(x);
    std::uint64_t number;
    if constexpr (is_whole) {
      number = ordered;
    } else {
      number = static_cast<std::uint64_t>(ordered >> 64);
    }
    return Descending ? ~number & all_bits : number;
  }

 private:
  static constexpr std::uint64_t all_bits = ~std::uint64_t{0} >> (64 - bits);
};

template <class T>
struct order_preserving_bits<T, by_stored_value<less>> : integer_number<T, false> {};
template <class T>
struct order_preserving_bits<T, by_stored_value<greater>> : integer_number<T, true> {};

template <class Key, class Value, class Compare>
struct order_preserving_bits<key_value<Key, Value>, by_key<Compare>> {
  using of_key = order_preserving_bits<Key, Compare>;
  static constexpr bool is_known = of_key::is_known;
  static constexpr bool is_whole = of_key::is_whole;
  static constexpr int bits = of_key::bits;
  static GPUSORT_DEVICE std::uint64_t of(const key_value<Key, Value>& x) {
    return of_key::of(x.key);
  }
};

template <class Key, class Value>
struct number_before_value
    : order_preserving_bits<key_value<Key, Value>, by_key<by_stored_value<less>>> {
  static constexpr bool is_whole = false;
};
template <class Key, class Value>
struct order_preserving_bits<key_value<Key, Value>, by_key_then_value<less>>
    : number_before_value<Key, Value> {};
template <class Key, class Value, class Record, class Compare>
struct order_preserving_bits<key_value<Key, Value>, by_prefix_then_record<Record, Compare>>
    : number_before_value<Key, Value> {};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/order_by.hpp>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

struct unknown_number {
  static constexpr bool is_known = false;
  static constexpr bool may_have_gaps = false;
};

/// An element as a number of 64 bits that orders as the comparator does, where that is known. It is
/// known for integers under less and greater, and for records of up to 16 bytes under an order that
/// reads up to 64 bits of them at fixed offsets; for keys with values, too. The number of an
/// integer of more than 64 bits is its upper half. Such a number is not whole: elements that have
/// it in common need not be equivalent. The number of a key is not whole where a value decides
/// between equal keys.
template <class T, class Compare>
struct order_preserving_bits : unknown_number {};

template <class Integer, bool Descending>
struct integer_number {
  static constexpr bool is_known = is_integer_key_v<Integer>;
  static constexpr bool is_whole = sizeof(Integer) <= 8;
  static constexpr bool may_have_gaps = false;
  static constexpr int bits = is_whole ? 8 * sizeof(Integer) : 64;

  /// Returns a number below 2^bits.
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

/// The longest records, or keys with their values, that were measured to be sorted sooner by
/// packed numbers: H100, 2^26, with comparisons and with numbers, ms: 12 bytes and a value of
/// 4 7.42 and 5.12, 16 bytes and a value of 4 10.0 and 11.8.
inline constexpr std::size_t max_packed_record_bytes = 16;

template <class T, class Order, class = void>
struct packed_number : unknown_number {};

template <class T>
using stored_value_t =
    std::remove_cv_t<std::remove_reference_t<decltype(stored_value(std::declval<const T&>()))>>;

/// Orders that read at fixed offsets have no state. Their numbers have gaps where a field other
/// than the first has few of its values. Measured with comparisons and with numbers, H100, by one
/// word, ms: 12 bytes, 2^20 0.142 and 0.122, 2^26 4.20 and 3.94; 16 bytes, 2^20 0.134 and 0.115,
/// 2^26 4.01 and 3.66.
template <class T, class Order>
struct packed_number<
    T, Order,
    std::enable_if_t<sizeof(T) <= max_packed_record_bytes &&
                     !is_arithmetic_key_v<stored_value_t<T>> && has_fixed_offsets_v<Order> &&
                     has_integer_key_v<Order, stored_value_t<T>>>> {
  static constexpr int bits = encoded_bits<Order, stored_value_t<T>>;
  static constexpr bool is_known = bits <= 64;
  static constexpr bool is_whole = true;
  static constexpr bool may_have_gaps = true;

  static GPUSORT_DEVICE std::uint64_t of(const T& x) {
    return encode_key(Order{}, stored_value(x));
  }
};

template <class T, class Order>
struct order_preserving_bits<T, by_stored_value<Order>> : packed_number<T, Order> {};
template <class T>
struct order_preserving_bits<T, by_stored_value<less>>
    : std::conditional_t<is_integer_key_v<T>, integer_number<T, false>, packed_number<T, less>> {};
template <class T>
struct order_preserving_bits<T, by_stored_value<greater>>
    : std::conditional_t<is_integer_key_v<T>, integer_number<T, true>, packed_number<T, greater>> {
};

template <class Key, class Value, class Compare>
struct order_preserving_bits<key_value<Key, Value>, by_key<Compare>> {
  using of_key = order_preserving_bits<Key, Compare>;
  static constexpr bool is_known =
      of_key::is_known &&
      (!of_key::may_have_gaps || sizeof(key_value<Key, Value>) <= max_packed_record_bytes);
  static constexpr bool is_whole = of_key::is_whole;
  static constexpr bool may_have_gaps = of_key::may_have_gaps;
  static constexpr int bits = of_key::bits;
  static GPUSORT_DEVICE std::uint64_t of(const key_value<Key, Value>& x) {
    return of_key::of(x.key);
  }
};

template <class Key, class Value>
struct order_preserving_bits<key_value<Key, Value>, by_key_then_value<less>>
    : order_preserving_bits<key_value<Key, Value>, by_key<by_stored_value<less>>> {
  static constexpr bool is_whole = false;
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

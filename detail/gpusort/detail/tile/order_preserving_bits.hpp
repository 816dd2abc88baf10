// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/order_by.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// An element as a number of 64 bits that orders as the comparator does, where that is known: of
/// integers under less and greater, alone or beside a value, and of small records whose keys can be
/// read off their bits. Of wider keys it is the upper half, and not whole: elements with equal
/// numbers need not be equivalent. So is a key beside a value that decides between equal ones.
template <class T, class Compare>
struct order_preserving_bits {
  static constexpr bool is_known = false;
};

template <class T, class Compare, class = void>
struct number_under {
  static constexpr bool is_known = false;
};

template <class Integer, class Compare>
struct number_under<Integer, Compare,
                    std::enable_if_t<is_less_or_greater_v<Compare> && is_integer_key_v<Integer>>> {
  static constexpr bool is_known = true;
  static constexpr bool is_whole = sizeof(Integer) <= 8;
  static constexpr int bits = is_whole ? 8 * sizeof(Integer) : 64;

  /// Below 2^bits.
  template <class Order>
  static GPUSORT_DEVICE std::uint64_t of(const Integer& x, const Order&) {
    const auto ordered = order_bits(x);
    std::uint64_t number;
    if constexpr (is_whole) {
      number = ordered;
    } else {
      number = static_cast<std::uint64_t>(ordered >> 64);
    }
    return std::is_same_v<Compare, greater> ? ~number & all_bits : number;
  }

 private:
  static constexpr std::uint64_t all_bits = ~std::uint64_t{0} >> (64 - bits);
};

/// Larger records are sorted by their keys, with indices, or by comparisons.
inline constexpr std::size_t max_numbered_bytes = 16;

template <class Record, std::size_t Alignment, class Compare>
struct number_under<
    raw_storage<Record, Alignment>, Compare,
    std::enable_if_t<is_encodable_v<Compare, Record> && reads_members_only_v<Compare> &&
                     sizeof(Record) <= max_numbered_bytes>> {
  static constexpr bool is_known = true;
  static constexpr bool is_whole = key_encoding<Compare, Record>::bits <= 64;
  static constexpr int bits = is_whole ? key_encoding<Compare, Record>::bits : 64;

  template <class T>
  static GPUSORT_DEVICE std::uint64_t of(const T& x, const by_stored_value<Compare>& order) {
    key_word<std::uint64_t> word(bits, 0);
    key_encoding<Compare, Record>::append_to(word, order.compare, stored_value(x));
    return word.get();
  }
};

template <class T, class Compare>
struct order_preserving_bits<T, by_stored_value<Compare>> : number_under<T, Compare> {};

template <class Key, class Value, class Compare>
struct order_preserving_bits<key_value<Key, Value>, by_key<Compare>>
    : order_preserving_bits<Key, Compare> {
  static GPUSORT_DEVICE std::uint64_t of(const key_value<Key, Value>& x,
                                         const by_key<Compare>& order) {
    return order_preserving_bits<Key, Compare>::of(x.key, order.compare);
  }
};

/// A key beside a value, or something else, that decides between equal ones.
template <class Key, class Value>
struct number_before_value : order_preserving_bits<Key, by_stored_value<less>> {
  using of_key = order_preserving_bits<Key, by_stored_value<less>>;
  static constexpr bool is_whole = false;
  template <class Order>
  static GPUSORT_DEVICE std::uint64_t of(const key_value<Key, Value>& x, const Order&) {
    return of_key::of(x.key, by_stored_value<less>{});
  }
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

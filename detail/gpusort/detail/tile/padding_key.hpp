// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The last key of an order, where it is known. Tiles of such keys are filled up with it: exchanges
/// need not ask what exists, and as equal keys are the same bits, it does not matter which of them
/// are padding. Up to 4 bytes: with padding, tiles of 64-bit keys gained little, and the sort of
/// 2^18 of them in one launch took 1 to 10% longer.
template <class T, class Compare>
struct padding_key {
  static constexpr bool is_known = false;
};

template <class T, bool Descending>
struct last_integer {
  static constexpr bool is_known = is_integer_key_v<T> && sizeof(T) <= 4;

  static GPUSORT_DEVICE T value() {
    using bits = unsigned_of_size_t<sizeof(T)>;
    constexpr bits sign = static_cast<bits>(bits{1} << (8 * sizeof(T) - 1));
    constexpr bits greatest = static_cast<bits>(is_signed_key_v<T> ? ~sign : ~bits{0});
    return static_cast<T>(Descending ? static_cast<bits>(~greatest) : greatest);
  }
};

template <class T>
struct padding_key<T, by_stored_value<less>> : last_integer<T, false> {};
template <class T>
struct padding_key<T, by_stored_value<greater>> : last_integer<T, true> {};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

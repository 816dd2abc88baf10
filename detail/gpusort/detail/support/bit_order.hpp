// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// An order of integers of one size, or of floats, known when a sort runs: with a sign and without,
/// ascending and descending, they share one sort of their bits. Encodes a number's bits as an
/// unsigned integer that orders as the number does; -0.0 is before +0.0, so floats only for sorts
/// that need not be stable.
template <class Bits, bool AreFloats>
struct bit_order {
  using word = as_ordered_bits::type<Bits>;

  Bits flipped;  // in every number; in floats below 0 all other bits, too

  GPUSORT_HOST_DEVICE word encode(Bits bits) const {
    return static_cast<Bits>(flip_negative(bits) ^ flipped);
  }
  GPUSORT_HOST_DEVICE Bits decode(word held) const {
    return flip_negative(static_cast<Bits>(held ^ flipped));
  }
  GPUSORT_HOST_DEVICE bool operator()(const Bits& a, const Bits& b) const {
    return encode(a) < encode(b);
  }

  bool is_descending() const { return (flipped & 1) != 0; }
  bool is_signed() const { return (flipped & sign) != 0 != is_descending(); }

 private:
  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));

  static GPUSORT_HOST_DEVICE Bits flip_negative(Bits bits) {
    if constexpr (!AreFloats) return bits;
    return static_cast<Bits>(bits & sign ? bits ^ static_cast<Bits>(sign - 1) : bits);
  }
};

template <class Compare>
inline constexpr bool is_bit_order_v = false;
template <class Bits, bool AreFloats>
inline constexpr bool is_bit_order_v<bit_order<Bits, AreFloats>> = true;

/// Names the order of the bits of Key under less or greater.
template <class Key>
using bit_order_for = bit_order<unsigned_of_size_t<sizeof(Key)>, is_float_key_v<Key>>;

template <class Key, class Compare>
constexpr bit_order_for<Key> bit_order_of() {
  using bits = unsigned_of_size_t<sizeof(Key)>;
  static_assert(is_arithmetic_key_v<Key> && is_less_or_greater_v<Compare>,
                "numbers are their bits");
  constexpr bits sign = static_cast<bits>(bits{1} << (8 * sizeof(Key) - 1));
  constexpr bits flipped = is_signed_key_v<Key> || is_float_key_v<Key> ? sign : bits{0};
  return {static_cast<bits>(std::is_same_v<Compare, greater> ? ~flipped : flipped)};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

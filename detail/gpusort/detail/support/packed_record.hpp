// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <gpusort/detail/support/order_by.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells how a tile holds a record of 4 or 8 bytes that an order reads to the last bit: packed,
/// which is an unsigned integer that orders as the record does. It can be undone, so -0.0 is before
/// +0.0: for sorts that need not be stable. Integers are compared in one instruction, and find
/// their places without comparisons.
template <class T, class Order>
struct as_packed {
  template <class Stored>
  using type = unsigned_of_size_t<sizeof(Stored)>;

  template <class Stored>
  static GPUSORT_HOST_DEVICE type<Stored> encode(const Stored& record) {
    const Stored own = record;  // read at once: its numbers are less aligned than it may be
    type<Stored> word = 0;
    packs<type<Stored>> sink{word};
    key_format<Order, T>::append_to(sink, Order{}, stored_value(own));
    return word;
  }
  template <class Stored>
  static GPUSORT_HOST_DEVICE Stored decode(type<Stored> word) {
    Stored record{};
    const T& places = stored_value(record);
    unpacks<type<Stored>> sink{word, places, &record};
    key_format<Order, T>::append_to(sink, Order{}, places);
    return record;
  }

 private:
  template <class Number>
  using bits_t = unsigned_of_size_t<sizeof(Number)>;

  /// Collects numbers, and tells zeros of both signs apart.
  template <class Word>
  struct packs {
    Word& word;
    template <bool Descending, class Number>
    GPUSORT_HOST_DEVICE void number(const Number& x) {
      const auto bits = static_cast<bits_t<Number>>(as_ordered_bits::encode(x));
      if constexpr (sizeof(Number) < sizeof(Word)) word = static_cast<Word>(word << 8 * sizeof(x));
      word |= static_cast<bits_t<Number>>(Descending ? ~bits : bits);
    }
  };

  /// Writes to the places of numbers what `word` has of them, the next one in its highest bits.
  template <class Word>
  struct unpacks {
    Word& word;
    const T& places;
    void* record;
    template <bool Descending, class Number>
    GPUSORT_HOST_DEVICE void number(const Number& place) {
      const auto bits = static_cast<bits_t<Number>>(word >> 8 * (sizeof(Word) - sizeof(Number)));
      if constexpr (sizeof(Number) < sizeof(Word))
        word = static_cast<Word>(word << 8 * sizeof(Number));
      const Number x =
          as_ordered_bits::decode<Number>(static_cast<bits_t<Number>>(Descending ? ~bits : bits));
      const auto offset = reinterpret_cast<const unsigned char*>(&place) -
                          reinterpret_cast<const unsigned char*>(&places);
      memcpy(static_cast<unsigned char*>(record) + offset, &x, sizeof(Number));
    }
  };
};

/// Whether elements of type T may be held so.
template <class T, class Order>
inline constexpr bool is_packable_v =
    !is_arithmetic_key_v<T> && is_trivially_relocatable_v<T> &&
    (sizeof(T) == 4 || sizeof(T) == 8) && key_format<Order, T>::packed.can_be_undone &&
    key_format<Order, T>::packed.bits == 8 * static_cast<int>(sizeof(T));

/// Tells how a tile holds elements, and by what they are compared there: packed, if they may be, or
/// as Otherwise does, by Compare.
template <class T, class Compare, bool IsStable, class Otherwise>
struct packed_or {
  static constexpr bool is_packed = !IsStable && is_packable_v<T, Compare>;
  using held = std::conditional_t<is_packed, as_packed<T, Compare>, Otherwise>;
  using compare = std::conditional_t<is_packed, less, Compare>;

  static compare compare_of([[maybe_unused]] const Compare& given) {
    if constexpr (is_packed) {
      return {};
    } else {
      return given;
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

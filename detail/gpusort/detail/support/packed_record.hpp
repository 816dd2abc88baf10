// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <gpusort/detail/support/order_by.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells what numbers, one after the other, become when they are packed. A float can be the last
/// only: zeros of both signs are equal, and have different bits, so that what follows must not
/// depend on them.
struct packing {
  int bits;
  bool can_be_undone;
  bool ends_in_float;

  constexpr packing operator+(const packing& next) const {
    return {bits + next.bits, can_be_undone && next.can_be_undone && !ends_in_float,
            next.ends_in_float};
  }
};

/// Tells how a number, or a pair, tuple or array is packed: `value`, and for_each(x, f) with its
/// numbers.
template <class T, class = void>
struct packing_of {
  static constexpr packing value = {0, false, false};
};

// Not bool, whose byte need not be its number.
template <class T>
struct packing_of<T, std::enable_if_t<is_arithmetic_key_v<T> && !is_bool_v<T>>> {
  static constexpr packing value = {8 * static_cast<int>(sizeof(T)), true, is_float_key_v<T>};

  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    f(x);
  }
};

template <class T>
struct packing_of<T, std::enable_if_t<is_compound_v<T>>> {
  static constexpr packing value =
      compound<T>::template total<detail::packing_of>(packing{0, true, false});

  template <class F>
  struct of_elements {
    F f;
    template <class Element>
    GPUSORT_HOST_DEVICE void operator()(const Element& x) {
      packing_of<Element>::for_each(x, f);
    }
  };
  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    compound<T>::for_each(x, of_elements<F>{f});
  }
};

template <bool Descending, class F>
struct in_direction {
  F f;
  template <class Number>
  GPUSORT_HOST_DEVICE void operator()(const Number& x) {
    f(x, std::bool_constant<Descending>{});
  }
};

/// Tells how what an order reads of records of type T is packed; f(number, is descending).
template <class T, class Order>
struct packing_by {
  static constexpr packing value = {0, false, false};
};

template <class T, bool Descending>
struct packing_by_less : packing_of<T> {
  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    packing_of<T>::for_each(x, in_direction<Descending, F>{f});
  }
};
template <class T>
struct packing_by<T, less> : packing_by_less<T, false> {};
template <class T>
struct packing_by<T, greater> : packing_by_less<T, true> {};

/// The element of a pair, tuple or array that a field reads, or none.
inline constexpr std::size_t no_element = ~std::size_t{0};
template <class Field>
inline constexpr std::size_t element_read = no_element;
template <std::size_t Nth, bool Descending, bool NullsFirst>
inline constexpr std::size_t element_read<
    order_field<element_access<Nth>, Descending, nan_order::ieee, never_null, NullsFirst>> = Nth;

template <class Field>
inline constexpr bool field_descends = false;
template <class Access, nan_order Nan, class Valid, bool NullsFirst>
inline constexpr bool field_descends<order_field<Access, true, Nan, Valid, NullsFirst>> = true;

/// Whether fields read elements, each another one.
template <class... Fields>
constexpr bool are_different_elements() {
  const std::size_t elements[] = {element_read<Fields>...};
  for (std::size_t i = 0; i < sizeof...(Fields); ++i) {
    if (elements[i] == no_element) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (elements[i] == elements[j]) return false;
    }
  }
  return true;
}

/// Packs elements of tuples only: two member pointers may alias (a union), which cannot be checked
/// at compile time, and bits that no field reads would be lost.
template <class T, class Order, class = void>
struct packing_by_elements {
  static constexpr packing value = {0, false, false};
};
template <class T, class... Fields>
struct packing_by_elements<
    T, ordered_by<Fields...>,
    std::enable_if_t<is_compound_v<T> && are_different_elements<Fields...>()>> {
  template <class Field>
  using packing_of_field = packing_of<typename field_of<Field, T>::type>;
  static constexpr packing value =
      (packing{0, true, false} + ... + packing_of_field<Fields>::value);

  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    (for_each_of<Fields>(x, f), ...);
  }

 private:
  template <class Field, class F>
  static GPUSORT_HOST_DEVICE void for_each_of(const T& x, F f) {
    packing_of_field<Field>::for_each(compound<T>::template at<element_read<Field>>(x),
                                      in_direction<field_descends<Field>, F>{f});
  }
};
template <class T, class... Fields>
struct packing_by<T, ordered_by<Fields...>> : packing_by_elements<T, ordered_by<Fields...>> {};

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
    packing_by<T, Order>::for_each(stored_value(own), packs<type<Stored>>{word});
    return word;
  }
  template <class Stored>
  static GPUSORT_HOST_DEVICE Stored decode(type<Stored> word) {
    Stored record{};
    const T& places = stored_value(record);
    packing_by<T, Order>::for_each(places, unpacks<type<Stored>>{word, places, &record});
    return record;
  }

 private:
  template <class Number>
  using bits_t = unsigned_of_size_t<sizeof(Number)>;

  template <class Word>
  struct packs {
    Word& word;
    template <class Number, bool Descending>
    GPUSORT_HOST_DEVICE void operator()(const Number& x, std::bool_constant<Descending>) {
      const auto bits = static_cast<bits_t<Number>>(as_ordered_bits::encode(x));
      if constexpr (sizeof(Number) < sizeof(Word)) word = static_cast<Word>(word << 8 * sizeof(x));
      word |= static_cast<bits_t<Number>>(Descending ? ~bits : bits);
    }
  };

  /// `word` has the next number in its highest bits.
  template <class Word>
  struct unpacks {
    Word& word;
    const T& places;
    void* record;
    template <class Number, bool Descending>
    GPUSORT_HOST_DEVICE void operator()(const Number& place, std::bool_constant<Descending>) {
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
    (sizeof(T) == 4 || sizeof(T) == 8) && packing_by<T, Order>::value.can_be_undone &&
    packing_by<T, Order>::value.bits == 8 * static_cast<int>(sizeof(T));

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

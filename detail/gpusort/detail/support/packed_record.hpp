// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>
#include <gpusort/detail/support/order_by.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// What numbers, one after the other, become when they are packed. A float can be the last only:
/// zeros of both signs are equal, and have different bits, so that what follows must not depend on
/// them.
struct packing {
  int bits;
  bool can_be_undone;
  bool ends_in_float;

  constexpr packing operator+(const packing& next) const {
    return {bits + next.bits, can_be_undone && next.can_be_undone && !ends_in_float,
            next.ends_in_float};
  }
};

/// Of a number, or a pair, tuple or array: `value`, and for_each(x, f) with its numbers.
template <class T, class = void>
struct packing_of {
  static constexpr packing value = {0, false, false};
};

template <class T>
struct packing_of<T, std::enable_if_t<is_arithmetic_key_v<T>>> {
  static constexpr packing value = {8 * static_cast<int>(sizeof(T)), true, is_float_key_v<T>};

  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    f(x);
  }
};

template <class T>
struct packing_of_element : packing_of<T> {};

template <class T>
struct packing_of<T, std::enable_if_t<is_compound_v<T>>> {
  static constexpr packing value =
      compound<T>::template total<packing_of_element>(packing{0, true, false});

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

/// The same of what an order reads of records of type T; f(number, is descending).
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

template <class T, class Field>
struct packing_by_field {
  static constexpr packing value = {0, false, false};
};
template <class T, class Access, bool Descending, bool NullsFirst>
struct packing_by_field<T,
                        order_field<Access, Descending, nan_order::ieee, never_null, NullsFirst>> {
  using field = order_field<Access, Descending, nan_order::ieee, never_null, NullsFirst>;
  using of_value = packing_of<typename field_of<field, T>::type>;
  static constexpr packing value = of_value::value;

  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    of_value::for_each(Access{}(x), in_direction<Descending, F>{f});
  }
};

template <class T, class... Fields>
struct packing_by<T, ordered_by<Fields...>> {
  static constexpr packing value = (packing{0, has_fixed_offsets_v<ordered_by<Fields...>>, false} +
                                    ... + packing_by_field<T, Fields>::value);

  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    (packing_by_field<T, Fields>::for_each(x, f), ...);
  }
};

/// How a tile holds a record of 4 or 8 bytes that an order reads to the last bit: packed, which is
/// an unsigned integer that orders as the record does. It can be undone, so -0.0 is before +0.0:
/// for sorts that need not be stable. Integers are compared in one instruction, and find their
/// places without comparisons.
template <class T, class Order>
struct as_packed {
  template <class Stored>
  using type = unsigned_of_size_t<sizeof(Stored)>;

  template <class Stored>
  static GPUSORT_HOST_DEVICE type<Stored> encode(const Stored& record) {
    type<Stored> word = 0;
    packing_by<T, Order>::for_each(stored_value(record), packs<type<Stored>>{word});
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
    !is_arithmetic_key_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    packing_by<T, Order>::value.can_be_undone &&
    packing_by<T, Order>::value.bits == 8 * static_cast<int>(sizeof(T));

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

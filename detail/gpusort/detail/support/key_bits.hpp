// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the `width` low bits of `field`, of which no higher one is set, inverted.
template <class Field>
GPUSORT_HOST_DEVICE Field inverted(Field field, int width) {
  const Field all = static_cast<Field>(static_cast<Field>(~Field{0}) >>
                                       (8 * static_cast<int>(sizeof(Field)) - width));
  return static_cast<Field>(field ^ all);
}

// Keys are appended to a sink, from the most significant field on: number<Descending>(x) takes a
// number, append(bits, width) other bits, and skip(width) leaves some out.

/// Collects one word of a key of many bits. Zeros of both signs are equal.
template <class Word>
class key_word {
 public:
  /// Takes the word whose lowest bit is bit `lowest` of a key of `bits` bits.
  GPUSORT_HOST_DEVICE key_word(int bits, int lowest) : end_(bits - lowest) {}

  /// Appends the `width` low bits of `field`, of which no higher one is set.
  template <class Field>
  GPUSORT_HOST_DEVICE void append(Field field, int width) {
    constexpr int word_bits = 8 * static_cast<int>(sizeof(Word));
    end_ -= width;
    if (end_ >= word_bits || end_ <= -width) return;
    word_ |= static_cast<Word>(end_ >= 0 ? static_cast<Word>(static_cast<Word>(field) << end_)
                                         : static_cast<Word>(field >> -end_));
  }

  template <bool Descending, class Number>
  GPUSORT_HOST_DEVICE void number(const Number& x) {
    constexpr int width = is_bool_v<Number> ? 1 : 8 * static_cast<int>(sizeof(Number));
    const auto bits = order_bits(x);
    if constexpr (Descending) {
      append(inverted(bits, width), width);
    } else {
      append(bits, width);
    }
  }

  /// Appends `width` zeros.
  GPUSORT_HOST_DEVICE void skip(int width) { end_ -= width; }

  GPUSORT_HOST_DEVICE Word get() const { return word_; }

 private:
  Word word_ = 0;
  int end_;  // where the appended field ends, from the word's lowest bit
};

/// Inverts all bits on their way to a sink, so that they descend.
template <class Sink>
struct inverted_sink {
  Sink& to;

  template <bool Descending, class Number>
  GPUSORT_HOST_DEVICE void number(const Number& x) {
    to.template number<!Descending>(x);
  }
  template <class Field>
  GPUSORT_HOST_DEVICE void append(Field field, int width) {
    to.append(inverted(field, width), width);
  }
};

/// Tells what becomes of values, one after the other, as bits. A float can be the last only where
/// that is to be undone: zeros of both signs are equal, and have different bits, so that what
/// follows must not depend on them.
struct packing {
  int bits;
  bool can_be_undone;
  bool ends_in_float;

  constexpr packing operator+(const packing& next) const {
    return {bits + next.bits, can_be_undone && next.can_be_undone && !ends_in_float,
            next.ends_in_float};
  }
};
inline constexpr packing no_packing = {0, false, false};

/// Tells how values of type T become bits that order as gpusort::less does: whether they do
/// (`value`), how many `bits`, how they are `packed`, and append_to(sink, x).
template <class T, class = void>
struct key_bits : std::false_type {
  static constexpr int bits = 0;
  static constexpr packing packed = no_packing;
};

template <class T>
struct key_bits<T, std::enable_if_t<is_arithmetic_key_v<T>>> : std::true_type {
  static constexpr int bits = is_bool_v<T> ? 1 : 8 * static_cast<int>(sizeof(T));
  // A bool's byte need not be its number.
  static constexpr packing packed = {bits, !is_bool_v<T>, is_float_key_v<T>};
  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, const T& x) {
    sink.template number<false>(x);
  }
};

template <>
struct key_bits<std::byte> : std::true_type {
  static constexpr int bits = 8;
  static constexpr packing packed = no_packing;
  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, std::byte x) {
    sink.append(static_cast<unsigned char>(x), bits);
  }
};

/// Pairs, tuples and arrays of such.
template <class T>
struct key_bits<T, std::enable_if_t<is_compound_v<T>>>
    : std::bool_constant<compound<T>::template all<key_bits> &&
                         (compound<T>::template sum<key_bits> > 0)> {
  static constexpr int bits = compound<T>::template sum<detail::key_bits>;

  static constexpr packing packed =
      compound<T>::template total<detail::key_bits>(packing{0, true, false});

  template <class Sink>
  struct appends {
    Sink& sink;
    template <class Element>
    GPUSORT_HOST_DEVICE void operator()(const Element& x) {
      key_bits<Element>::append_to(sink, x);
    }
  };
  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, const T& x) {
    compound<T>::for_each(x, appends<Sink>{sink});
  }
};

template <class T>
inline constexpr bool is_byte_v = std::is_same_v<T, char> || std::is_same_v<T, signed char> ||
                                  std::is_same_v<T, unsigned char> || std::is_same_v<T, std::byte>;

template <class T>
struct is_byte_string : std::false_type {};
template <class T, std::size_t N>
struct is_byte_string<T[N]> : std::bool_constant<is_byte_v<std::remove_cv_t<T>>> {};

/// Members that are strings of N bytes, in the order of memcmp.
template <class T, std::size_t N>
struct key_bits<T[N], std::enable_if_t<is_byte_v<T>>> : std::true_type {
  static constexpr int bits = 8 * static_cast<int>(N);
  static constexpr packing packed = no_packing;
  template <class Sink>
  static GPUSORT_HOST_DEVICE void append_to(Sink& sink, const T (&x)[N]) {
    for (std::size_t i = 0; i < N; ++i) sink.append(static_cast<unsigned char>(x[i]), 8);
  }
};

/// Appends a value whose bits ascend or descend.
template <bool Descending, class Sink, class T>
GPUSORT_HOST_DEVICE void append_directed(Sink& sink, const T& x) {
  if constexpr (Descending) {
    inverted_sink<Sink> inverted{sink};
    key_bits<T>::append_to(inverted, x);
  } else {
    key_bits<T>::append_to(sink, x);
  }
}

/// Compares as less_than, and strings of bytes as memcmp does.
template <class T>
GPUSORT_HOST_DEVICE bool field_less_than(const T& a, const T& b) {
  if constexpr (is_byte_string<T>::value) {
    for (std::size_t i = 0; i < std::extent_v<T>; ++i) {
      const auto x = static_cast<unsigned char>(a[i]), y = static_cast<unsigned char>(b[i]);
      if (x != y) return x < y;
    }
    return false;
  } else {
    return less_than(a, b);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

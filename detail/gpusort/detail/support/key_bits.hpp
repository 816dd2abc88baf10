// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One word of a key of many bits, to which the key's fields are appended from the most significant
/// one on.
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

  /// Appends `width` zeros.
  GPUSORT_HOST_DEVICE void skip(int width) { end_ -= width; }

  GPUSORT_HOST_DEVICE Word get() const { return word_; }

 private:
  Word word_ = 0;
  int end_;  // where the appended field ends, from the word's lowest bit
};

/// Appends fields with all of their bits inverted, so that they descend.
template <class Word>
struct inverted_word {
  key_word<Word>& word;

  template <class Field>
  GPUSORT_HOST_DEVICE void append(Field field, int width) {
    const Field all = static_cast<Field>(static_cast<Field>(~Field{0}) >>
                                         (8 * static_cast<int>(sizeof(Field)) - width));
    word.append(static_cast<Field>(field ^ all), width);
  }
};

/// Tells how values of type T become bits that order as gpusort::less does: whether they do
/// (`value`), how many `bits`, and append_to(word, x).
template <class T, class = void>
struct key_bits : std::false_type {
  static constexpr int bits = 0;
};

template <class T>
struct key_bits<T, std::enable_if_t<is_arithmetic_key_v<T>>> : std::true_type {
  static constexpr int bits = is_bool_v<T> ? 1 : 8 * static_cast<int>(sizeof(T));
  template <class Word>
  static GPUSORT_HOST_DEVICE void append_to(Word& word, const T& x) {
    word.append(order_bits(x), bits);
  }
};

template <>
struct key_bits<std::byte> : std::true_type {
  static constexpr int bits = 8;
  template <class Word>
  static GPUSORT_HOST_DEVICE void append_to(Word& word, std::byte x) {
    word.append(static_cast<unsigned char>(x), bits);
  }
};

/// Pairs, tuples and arrays of such.
template <class T>
struct key_bits<T, std::enable_if_t<is_compound_v<T>>>
    : std::bool_constant<compound<T>::template all<key_bits> &&
                         (compound<T>::template sum<key_bits> > 0)> {
  static constexpr int bits = compound<T>::template sum<detail::key_bits>;

  template <class Word>
  struct appends {
    Word& word;
    template <class Element>
    GPUSORT_HOST_DEVICE void operator()(const Element& x) {
      key_bits<Element>::append_to(word, x);
    }
  };
  template <class Word>
  static GPUSORT_HOST_DEVICE void append_to(Word& word, const T& x) {
    compound<T>::for_each(x, appends<Word>{word});
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
  template <class Word>
  static GPUSORT_HOST_DEVICE void append_to(Word& word, const T (&x)[N]) {
    for (std::size_t i = 0; i < N; ++i) word.append(static_cast<unsigned char>(x[i]), 8);
  }
};

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/table.hpp>
#include <gpusort/detail/support/validity.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A column of an order: what it adds to the key of a row. That is a bit of its own for null, where
/// some rows may be, and the value's bits, encoded so that they order as unsigned numbers.
struct key_column {
  const unsigned char* data;
  const unsigned char* validity;
  std::uint64_t first_bit;  // of the key, counted from the most significant one
  std::uint64_t end_bit;
  std::uint32_t width;
  column_type type;
  validity_kind validity_is;
  bool is_descending;
  bool nulls_are_first;
  nans nan_order;

  GPUSORT_HOST_DEVICE bool is_valid(std::uint64_t row) const {
    if (validity_is == validity_kind::none) return true;
    return validity_is == validity_kind::bits ? bit_at(validity, row) : validity[row] != 0;
  }
};

template <class T>
GPUSORT_HOST_DEVICE T number_at(const unsigned char* data, std::uint64_t i) {
#if defined(__CUDA_ARCH__)
  return reinterpret_cast<const T*>(data)[i];  // memcpy would read byte after byte
#else
  T number;
  std::memcpy(&number, data + i * sizeof(T), sizeof(T));
  return number;
#endif
}

/// Tells how an element's own bits become ordered ones.
struct number_format {
  bool is_signed = false;
  std::uint64_t infinity = 0;  // its bits, of floats
};

GPUSORT_HOST_DEVICE constexpr number_format format_of(column_type type) {
  switch (type) {
    case column_type::float16:
      return {true, 0x7C00};
    case column_type::bfloat16:
      return {true, 0x7F80};
    case column_type::float32:
      return {true, 0x7F800000};
    case column_type::float64:
      return {true, 0x7FF0000000000000};
    default:
      return {type <= column_type::int128, 0};
  }
}

/// Returns the ordered bits, as order_bits does, of a number of at most 64 bits whose type is known
/// at run time.
GPUSORT_HOST_DEVICE inline std::uint64_t ordered_number(std::uint64_t bits, const key_column& c) {
  const number_format format = format_of(c.type);
  const std::uint64_t sign = std::uint64_t{1} << (8 * min_of(c.width, 8u) - 1);
  if (format.infinity != 0) {
    const bool is_nan = (bits & ~sign) > format.infinity;
    if (is_nan && c.nan_order != nans::ieee) {
      return (c.nan_order == nans::last) != c.is_descending ? ~std::uint64_t{0} : 0;
    }
    if (bits == sign) bits = 0;
    bits = (bits & sign) != 0 ? ~bits : bits | sign;
  } else if (format.is_signed) {
    bits ^= sign;
  }
  return bits;
}

/// Bits of a value that are encoded at a time: all of a number but for 128-bit ones.
struct value_piece {
  int bits;
  std::uint64_t value;
};

inline constexpr std::uint32_t piece_bytes = 8;

/// Returns bytes [8 piece, 8 piece + 8) of an element, ascending.
GPUSORT_HOST_DEVICE inline value_piece ordered_piece(const key_column& c, std::uint64_t row,
                                                     std::uint32_t piece) {
  switch (c.type) {
    case column_type::boolean:
      return {1, c.data[row] != 0};
    case column_type::bytes: {
      const std::uint32_t first = piece * piece_bytes;
      const std::uint32_t bytes = min_of(c.width - first, piece_bytes);
      const unsigned char* const text = c.data + row * c.width + first;
      std::uint64_t value = 0;
      for (std::uint32_t b = 0; b < bytes; ++b) value = value << 8 | text[b];
      return {static_cast<int>(8 * bytes), value};
    }
    case column_type::int128:
    case column_type::uint128: {
      const std::uint64_t half = number_at<std::uint64_t>(c.data, 2 * row + (1 - piece));
      return {64, piece == 0 ? ordered_number(half, c) : half};
    }
    default:
      break;
  }
  switch (c.width) {
    case 1:
      return {8, ordered_number(c.data[row], c)};
    case 2:
      return {16, ordered_number(number_at<std::uint16_t>(c.data, row), c)};
    case 4:
      return {32, ordered_number(number_at<std::uint32_t>(c.data, row), c)};
    default:
      return {64, ordered_number(number_at<std::uint64_t>(c.data, row), c)};
  }
}

/// Bits [begin, begin + width) of a key, the last one lowest, above them bits of before. 0 < width
/// <= bits of Word.
template <class Word>
struct key_window {
  std::uint64_t begin;
  int width;
  Word word = 0;

  GPUSORT_HOST_DEVICE std::uint64_t end() const {
    return begin + static_cast<std::uint64_t>(width);
  }

  /// Puts the lowest `bits` bits of a value, at most 64, where they begin in the key.
  GPUSORT_HOST_DEVICE void put(std::uint64_t first, int bits, std::uint64_t value) {
    const std::uint64_t last = first + static_cast<std::uint64_t>(bits);
    if (first >= end() || last <= begin) return;
    value &= ~std::uint64_t{0} >> (64 - bits);
    if (last <= end()) {
      word |= static_cast<Word>(value) << static_cast<int>(end() - last);
    } else {
      word |= static_cast<Word>(value >> static_cast<int>(last - end()));
    }
  }
};

/// The order of a table's rows, as keys of `bits` bits: a row is before another one where its key
/// is less.
struct row_keys {
  key_column columns[table_order::max_columns];
  int count;
  std::uint64_t bits;

  template <class Word>
  GPUSORT_HOST_DEVICE Word window(std::uint64_t row, std::uint64_t begin, int width) const {
    key_window<Word> key{begin, width};
    for (int i = 0; i < count; ++i) {
      const key_column& c = columns[i];
      if (c.end_bit <= begin || c.first_bit >= key.end()) continue;
      std::uint64_t first = c.first_bit;
      const bool is_valid = c.is_valid(row);
      if (c.validity_is != validity_kind::none) {
        key.put(first++, 1, is_valid == c.nulls_are_first);
      }
      if (!is_valid) continue;
      // Pieces before the window are left out.
      std::uint64_t piece = begin > first ? (begin - first) / (8 * piece_bytes) : 0;
      for (first += piece * 8 * piece_bytes; first < c.end_bit && first < key.end(); ++piece) {
        const value_piece p = ordered_piece(c, row, static_cast<std::uint32_t>(piece));
        key.put(first, p.bits, c.is_descending ? ~p.value : p.value);
        first += static_cast<std::uint64_t>(p.bits);
      }
    }
    return key.word;
  }

  /// Whether row a is before row b.
  GPUSORT_HOST_DEVICE bool operator()(std::uint64_t a, std::uint64_t b) const {
    for (std::uint64_t begin = 0; begin < bits; begin += 64) {
      const int width = static_cast<int>(min_of<std::uint64_t>(64, bits - begin));
      const auto of_a = window<std::uint64_t>(a, begin, width);
      const auto of_b = window<std::uint64_t>(b, begin, width);
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  }
};
static_assert(sizeof(row_keys) <= 2048, "an argument of kernels, which have 4 KB");

/// Begins with bits [begin, begin + width) of a row's key, and ends with its rank.
template <class Word>
GPUSORT_HOST_DEVICE Word word_of_row(const row_keys& keys, std::uint64_t row, std::uint64_t begin,
                                     int width, std::uint64_t rank) {
  const int bits_of_word = 8 * static_cast<int>(sizeof(Word));
  return static_cast<Word>(keys.window<Word>(row, begin, width) << (bits_of_word - width)) | rank;
}

template <class Word>
GPUSORT_HOST_DEVICE std::uint64_t rank_of_word(Word word, int rank_bits) {
  return static_cast<std::uint64_t>(word) & ((std::uint64_t{1} << rank_bits) - 1);
}

/// Tells how keys of n rows are cut into words. A word begins with a window of the key and ends
/// with the rank that the row has so far: so no two words are equal, any sort of them is stable,
/// and where rows came from is read off the words. The least significant window is sorted first.
struct key_cuts {
  std::uint64_t bits;
  int rank_bits;

  key_cuts(std::uint64_t key_bits, std::uint64_t n) : bits(key_bits), rank_bits(ceil_log2(n)) {}

  std::uint64_t windows() const { return ceil_div(bits, widest_window()); }
  std::uint64_t begin(std::uint64_t w) const { return w * widest_window(); }
  int width(std::uint64_t w) const {
    return static_cast<int>(min_of(widest_window(), bits - begin(w)));
  }
  /// Whether the words of a window have 8 bytes.
  bool is_narrow(std::uint64_t w) const { return width(w) + rank_bits <= 64; }

  /// Returns the bytes of the words of any window, where there is one: the first is the widest.
  std::size_t word_bytes() const {
    return is_narrow(0) ? sizeof(std::uint64_t) : sizeof(widest_word);
  }

  /// Calls body(Word()) with the type of a window's words.
  template <class Body>
  void with_word(std::uint64_t w, const Body& body) const {
    if (is_narrow(w)) {
      body(std::uint64_t{});
    } else {
      body(widest_word{});
    }
  }

 private:
  std::uint64_t widest_window() const {
    return 8 * sizeof(widest_word) - static_cast<std::uint64_t>(rank_bits);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "random.hpp"

#if GPUSORT_CUDA
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace kit {

using int128 = __int128;
using uint128 = unsigned __int128;

template <class T>
GPUSORT_HOST_DEVICE void exchange_values(T& a, T& b) {
  const T t = a;
  a = b;
  b = t;
}

// -- integers and floats as ordered bits ----------------------------------------------------------

template <std::size_t Bytes>
struct bits_of_size;
template <>
struct bits_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct bits_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct bits_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct bits_of_size<8> {
  using type = std::uint64_t;
};
template <>
struct bits_of_size<16> {
  using type = uint128;
};
template <class T>
using bits_t = typename bits_of_size<sizeof(T)>::type;

/// Mantissa bits of a floating point type; 0 for anything else.
template <class T>
inline constexpr int mantissa_bits = 0;
template <>
inline constexpr int mantissa_bits<float> = 23;
template <>
inline constexpr int mantissa_bits<double> = 52;
#if GPUSORT_CUDA
template <>
inline constexpr int mantissa_bits<__half> = 10;
template <>
inline constexpr int mantissa_bits<__nv_bfloat16> = 7;
#endif

template <class T>
inline constexpr bool is_float = mantissa_bits<T> != 0;

template <class T>
inline constexpr bool is_integer =
    std::is_integral_v<T> || std::is_same_v<T, int128> || std::is_same_v<T, uint128>;

template <class T>
inline constexpr bool is_arithmetic = is_integer<T> || is_float<T>;

template <class T>
GPUSORT_HOST_DEVICE constexpr bool is_signed_integer() {
  if constexpr (std::is_same_v<T, bool>) {
    return false;
  } else {
    return static_cast<T>(-1) < static_cast<T>(1);
  }
}

template <class T>
GPUSORT_HOST_DEVICE bits_t<T> to_bits(const T& value) {
  bits_t<T> bits;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
GPUSORT_HOST_DEVICE T from_bits(bits_t<T> bits) {
  T value;
  memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <class T>
GPUSORT_HOST_DEVICE constexpr bits_t<T> sign_bit() {
  return static_cast<bits_t<T>>(static_cast<bits_t<T>>(1) << (8 * sizeof(T) - 1));
}

/// Returns unsigned numbers in the order of the values: two's complement, or IEEE total order.
template <class T>
GPUSORT_HOST_DEVICE bits_t<T> to_ordered(const T& value) {
  const bits_t<T> bits = to_bits(value);
  if constexpr (is_float<T>) {
    return static_cast<bits_t<T>>((bits & sign_bit<T>()) ? ~bits : bits | sign_bit<T>());
  } else {
    return is_signed_integer<T>() ? static_cast<bits_t<T>>(bits ^ sign_bit<T>()) : bits;
  }
}

template <class T>
GPUSORT_HOST_DEVICE T from_ordered(bits_t<T> ordered) {
  if constexpr (is_float<T>) {
    return from_bits<T>(
        static_cast<bits_t<T>>((ordered & sign_bit<T>()) ? ordered ^ sign_bit<T>() : ~ordered));
  } else {
    return from_bits<T>(is_signed_integer<T>() ? static_cast<bits_t<T>>(ordered ^ sign_bit<T>())
                                               : ordered);
  }
}

template <class T>
GPUSORT_HOST_DEVICE constexpr bits_t<T> infinity_bits() {
  constexpr int m = mantissa_bits<T>;
  constexpr int exponent_bits = 8 * static_cast<int>(sizeof(T)) - 1 - m;
  return static_cast<bits_t<T>>(((static_cast<bits_t<T>>(1) << exponent_bits) - 1) << m);
}

// -- records -------------------------------------------------------------------------------------

/// Returns what a record of that many bytes is aligned to unless told otherwise.
constexpr int natural_alignment(int bytes) {
  return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

/// A struct of any size: a key, then the position it was made at as far as it fits, then bytes that
/// follow from both, so that a torn record is a lost element to the checker.
template <int Bytes, int Alignment = natural_alignment(Bytes)>
struct alignas(Alignment) record {
  static_assert(Bytes % Alignment == 0,
                "no padding, or the checker would hash indeterminate bytes");
  static constexpr int key_bytes = Bytes >= 16 ? 8 : Bytes >= 8 ? 4 : Bytes >= 4 ? 2 : 1;
  static constexpr int index_bytes = Bytes - key_bytes < 8 ? Bytes - key_bytes : 8;

  unsigned char data[Bytes];
};

template <class T>
inline constexpr bool is_record = false;
template <int Bytes, int Alignment>
inline constexpr bool is_record<record<Bytes, Alignment>> = true;

/// Returns the bytes of a value that hold the position it was made at.
template <class T>
GPUSORT_HOST_DEVICE constexpr int index_bytes_of() {
  if constexpr (is_record<T>) {
    return T::index_bytes;
  } else {
    return 0;
  }
}

/// Whether n of them have different positions: only then do those tell the stable order.
template <class T>
constexpr bool positions_fit(std::uint64_t n) {
  constexpr int bits = 8 * index_bytes_of<T>();
  return bits == 64 || n >> (bits % 64) == 0;
}

// -- making values --------------------------------------------------------------------------------

// Loops over the bytes of a value stay loops on the device: unrolled, 4 KB take minutes to compile.

/// Specialise `make` for further value types: how a 64-bit rank and a position become a value.
/// Invariant: monotone in the rank, and no NaN.
template <class T, class = void>
struct value_maker;

template <class T>
struct value_maker<T, std::enable_if_t<is_integer<T>>> {
  static GPUSORT_HOST_DEVICE T make(std::uint64_t rank, std::uint64_t) {
    if constexpr (std::is_same_v<T, bool>) {
      return (rank >> 63) != 0;
    } else if constexpr (sizeof(T) == 16) {
      return from_ordered<T>(static_cast<uint128>(rank) << 64 | scramble(rank));
    } else {
      return from_ordered<T>(static_cast<bits_t<T>>(rank >> (64 - 8 * sizeof(T))));
    }
  }
};

template <class T>
struct value_maker<T, std::enable_if_t<is_float<T>>> {
  static GPUSORT_HOST_DEVICE T make(std::uint64_t rank, std::uint64_t) {
    // All finite values, equally often: their ordered bits lie between those of the infinities.
    const std::uint64_t above_minus_infinity =
        static_cast<bits_t<T>>(~(infinity_bits<T>() | sign_bit<T>())) + std::uint64_t{1};
    const std::uint64_t infinity = static_cast<bits_t<T>>(infinity_bits<T>() | sign_bit<T>());
    const auto scaled = static_cast<std::uint64_t>(
        (static_cast<uint128>(rank) * (infinity - above_minus_infinity)) >> 64);
    return from_ordered<T>(static_cast<bits_t<T>>(above_minus_infinity + scaled));
  }
};

template <int Bytes, int Alignment>
struct value_maker<record<Bytes, Alignment>> {
  using type = record<Bytes, Alignment>;
  static GPUSORT_HOST_DEVICE type make(std::uint64_t rank, std::uint64_t index) {
    type r;
    write(r, rank, index);
    return r;
  }

  /// Writes without a copy, of which the code for a large record is long.
  static GPUSORT_HOST_DEVICE void write(type& to, std::uint64_t rank, std::uint64_t index) {
    for_each_byte(rank, index, [&](int i, unsigned char byte) { to.data[i] = byte; });
  }
  static GPUSORT_HOST_DEVICE bool has_made(const type& value, std::uint64_t rank,
                                           std::uint64_t index) {
    bool is_same = true;
    for_each_byte(rank, index,
                  [&](int i, unsigned char byte) { is_same &= value.data[i] == byte; });
    return is_same;
  }

 private:
  template <class Body>
  static GPUSORT_HOST_DEVICE void for_each_byte(std::uint64_t rank, std::uint64_t index,
                                                const Body& body) {
    const std::uint64_t key = rank >> (64 - 8 * type::key_bytes);
    const std::uint64_t rest = random_at(key, index);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int i = 0; i < Bytes; ++i) {
      if (i < type::key_bytes) {
        body(i, static_cast<unsigned char>(key >> (8 * i)));
      } else if (i < type::key_bytes + type::index_bytes) {
        body(i, static_cast<unsigned char>(index >> (8 * (i - type::key_bytes))));
      } else {
        body(i, static_cast<unsigned char>((rest >> (8 * (i % 8))) + static_cast<unsigned>(i)));
      }
    }
  }
};

template <class T>
GPUSORT_HOST_DEVICE T make_value(std::uint64_t rank, std::uint64_t index) {
  return value_maker<T>::make(rank, index);
}

/// Returns the awkward floats: both zeros, infinities, denormals, extremes, NaNs of both signs and
/// several payloads. `choice` may be any number.
template <class T>
GPUSORT_HOST_DEVICE T special_float(std::uint64_t choice) {
  static_assert(is_float<T>);
  using bits = bits_t<T>;
  const bits infinity = infinity_bits<T>();
  const bits one = static_cast<bits>((infinity >> 1) & infinity);  // close to 1: half the exponent
  const bits quiet = static_cast<bits>(static_cast<bits>(1) << (mantissa_bits<T> - 1));
  bits magnitude = 0;
  switch ((choice >> 1) % 9) {
    case 0:
      magnitude = 0;
      break;
    case 1:
      magnitude = 1;
      break;
    case 2:
      magnitude = one;
      break;
    case 3:
      magnitude = static_cast<bits>(infinity - 1);
      break;
    case 4:
      magnitude = infinity;
      break;
    case 5:
      magnitude = static_cast<bits>(infinity + 1);
      break;
    case 6:
      magnitude = static_cast<bits>(infinity | quiet);
      break;
    case 7:
      magnitude = static_cast<bits>(infinity | quiet | 1);
      break;
    default:
      magnitude = static_cast<bits>(~sign_bit<T>());
      break;
  }
  return from_bits<T>(static_cast<bits>((choice & 1) ? magnitude | sign_bit<T>() : magnitude));
}

// -- reading values -------------------------------------------------------------------------------

/// Returns what the test comparators compare: the value itself, or a record's key.
template <class T>
GPUSORT_HOST_DEVICE std::enable_if_t<is_arithmetic<T>, T> key_of(const T& value) {
  return value;
}

template <int Bytes, int Alignment>
GPUSORT_HOST_DEVICE std::uint64_t key_of(const record<Bytes, Alignment>& r) {
  std::uint64_t key = 0;
  for (int i = 0; i < record<Bytes, Alignment>::key_bytes; ++i) {
    key |= static_cast<std::uint64_t>(r.data[i]) << (8 * i);
  }
  return key;
}

/// Returns the position a record was made at, modulo what fits.
template <int Bytes, int Alignment>
GPUSORT_HOST_DEVICE std::uint64_t index_of(const record<Bytes, Alignment>& r) {
  using type = record<Bytes, Alignment>;
  std::uint64_t index = 0;
  for (int i = 0; i < type::index_bytes; ++i) {
    index |= static_cast<std::uint64_t>(r.data[type::key_bytes + i]) << (8 * i);
  }
  return index;
}

/// All bytes of a value in 64 bits. For a type with padding, specialise.
template <class T>
struct value_hash {
  static GPUSORT_HOST_DEVICE std::uint64_t hash(const T& value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    std::uint64_t h = sizeof(T);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (std::size_t i = 0; i < sizeof(T); i += 8) {
      std::uint64_t word = 0;
      for (std::size_t j = 0; j < 8 && i + j < sizeof(T); ++j) {
        word |= static_cast<std::uint64_t>(bytes[i + j]) << (8 * j);
      }
      h = scramble(h ^ word) + 0x9E3779B97F4A7C15ull;
    }
    return h;
  }
};

template <class T>
GPUSORT_HOST_DEVICE std::uint64_t hash_of(const T& value) {
  return value_hash<T>::hash(value);
}

}  // namespace kit

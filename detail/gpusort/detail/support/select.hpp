// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/array.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A value as 32-bit registers. Selecting between two structs by address would put them in local
/// memory; selecting word by word keeps them in registers.
template <class T>
struct words {
  static constexpr int count = (sizeof(T) + 3) / 4;
  std::uint32_t word[count];

  GPUSORT_DEVICE explicit words(const T& x) {
    if constexpr (is_int128<T>::value) {
#pragma unroll
      for (int w = 0; w < count; ++w) word[w] = static_cast<std::uint32_t>(x >> 32 * w);
    } else {
      word[count - 1] = 0;
      memcpy(word, &x, sizeof(T));
    }
  }
  GPUSORT_DEVICE T value() const {
    T x{};
    if constexpr (is_int128<T>::value) {
#pragma unroll
      for (int w = 0; w < count; ++w) x |= static_cast<T>(word[w]) << 32 * w;
    } else {
      memcpy(&x, word, sizeof(T));
    }
    return x;
  }
};

template <class T>
GPUSORT_DEVICE T select(bool condition, const T& a, const T& b) {
  // ptxas would see a minimum and a maximum of 8-byte integers, and compare for each of them.
  constexpr bool is_wide_integer = std::is_integral_v<T> && sizeof(T) == 8;
  if constexpr ((std::is_arithmetic_v<T> && !is_wide_integer) || is_int128<T>::value) {
    return condition ? a : b;
  } else {
    words<T> x(a), y(b);
#pragma unroll
    for (int w = 0; w < words<T>::count; ++w) x.word[w] = condition ? x.word[w] : y.word[w];
    return x.value();
  }
}

/// Selects pairs member by member: as words, pairs of two small members would go through local
/// memory.
template <class Key, class Value>
GPUSORT_DEVICE key_value<Key, Value> select(bool condition, const key_value<Key, Value>& a,
                                            const key_value<Key, Value>& b) {
  return {select(condition, a.key, b.key), select(condition, a.value, b.value)};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/select.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

inline constexpr int warp_size = 32;
inline constexpr unsigned full_warp = 0xffffffffu;

GPUSORT_DEVICE int lane_id() { return static_cast<int>(threadIdx.x) & (warp_size - 1); }
GPUSORT_DEVICE int warp_id() { return static_cast<int>(threadIdx.x) / warp_size; }

template <class T>
GPUSORT_DEVICE void swap_if(bool condition, T& a, T& b) {
  const T x = select(condition, b, a);
  b = select(condition, a, b);
  a = x;
}

/// Puts the smaller of two elements first. The one comparison decides for both.
template <class T, class Compare>
GPUSORT_DEVICE void compare_exchange(T& a, T& b, Compare& compare) {
  swap_if(compare(b, a), a, b);
}

/// Compares and exchanges where the upper element may be padding, which stays above everything.
template <class T, class Compare>
GPUSORT_DEVICE void compare_exchange(T& a, T& b, bool b_exists, Compare& compare) {
  swap_if(b_exists && compare(b, a), a, b);
}

/// Returns the value of x in the lane whose number differs in the bits of `mask`; any trivially
/// copyable x.
template <class T>
GPUSORT_DEVICE T shuffle_xor(const T& x, int mask) {
  words<T> y(x);
#pragma unroll
  for (int w = 0; w < words<T>::count; ++w) {
    y.word[w] = __shfl_xor_sync(full_warp, y.word[w], mask);
  }
  return y.value();
}

template <class Key, class Value>
GPUSORT_DEVICE key_value<Key, Value> shuffle_xor(const key_value<Key, Value>& x, int mask) {
  return {shuffle_xor(x.key, mask), shuffle_xor(x.value, mask)};
}

/// Returns the value of x in one lane; any trivially copyable x.
template <class T>
GPUSORT_DEVICE T shuffle_from(const T& x, int lane) {
  words<T> y(x);
#pragma unroll
  for (int w = 0; w < words<T>::count; ++w) y.word[w] = __shfl_sync(full_warp, y.word[w], lane);
  return y.value();
}

template <class Key, class Value>
GPUSORT_DEVICE key_value<Key, Value> shuffle_from(const key_value<Key, Value>& x, int lane) {
  return {shuffle_from(x.key, lane), shuffle_from(x.value, lane)};
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

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
  const T x = condition ? b : a;
  b = condition ? a : b;
  a = x;
}

/// Puts the smaller of two elements first. The one comparison decides for both.
template <class T, class Compare>
GPUSORT_DEVICE void compare_exchange(T& a, T& b, Compare& compare) {
  swap_if(compare(b, a), a, b);
}

/// The value of x in the lane whose number differs in the bits of `mask`; any trivially copyable x.
template <class T>
GPUSORT_DEVICE T shuffle_xor(const T& x, int mask) {
  constexpr int words = (sizeof(T) + 3) / 4;
  std::uint32_t raw[words] = {};
  memcpy(raw, &x, sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) raw[w] = __shfl_xor_sync(full_warp, raw[w], mask);
  T y;
  memcpy(&y, raw, sizeof(T));
  return y;
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

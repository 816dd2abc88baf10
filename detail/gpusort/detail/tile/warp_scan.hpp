// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/lane_group.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Returns the sum over a warp, in all lanes.
template <class Integer>
GPUSORT_DEVICE Integer warp_sum(Integer x) {
  return lane_group<warp_size>::sum(x);
}

#if __CUDA_ARCH__ >= 800
GPUSORT_DEVICE std::uint32_t warp_sum(std::uint32_t x) { return __reduce_add_sync(full_warp, x); }
#endif

/// Returns the least over a warp, in all lanes.
GPUSORT_DEVICE std::uint32_t warp_min(std::uint32_t x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(full_warp, x);
#else
#pragma unroll
  for (int i = 1; i < warp_size; i *= 2) {
    const std::uint32_t other = __shfl_xor_sync(full_warp, x, i);
    x = other < x ? other : x;
  }
  return x;
#endif
}

/// Whether all lanes have the first one's.
GPUSORT_DEVICE bool is_same_in_warp(std::uint32_t x) {
  return __all_sync(full_warp, x == __shfl_sync(full_warp, x, 0));
}

/// Returns the sum over this lane and those before it.
template <class Integer>
GPUSORT_DEVICE Integer warp_prefix(Integer x) {
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    const Integer other = __shfl_up_sync(full_warp, x, 1 << i);
    if (lane_id() >= 1 << i) x += other;
  }
  return x;
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

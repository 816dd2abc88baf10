// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/lane_group.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The sum over a warp, in all lanes.
template <class Integer>
GPUSORT_DEVICE Integer warp_sum(Integer x) {
  return lane_group<warp_size>::sum(x);
}

/// The sum over this lane and those before it.
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

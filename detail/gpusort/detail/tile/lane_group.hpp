// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Lanes neighbouring lanes of a warp. All lanes of the warp call its functions at the same time,
/// each for its own group.
template <int Lanes>
struct lane_group {
  static_assert(Lanes > 0 && Lanes <= warp_size && (Lanes & (Lanes - 1)) == 0);

  static GPUSORT_DEVICE int id() { return lane_id() % Lanes; }

  /// Returns the answers of the group; bit i is that of lane i.
  static GPUSORT_DEVICE unsigned ballot(bool answer) {
    return __ballot_sync(full_warp, answer) >> (lane_id() - id()) & (full_warp >> (32 - Lanes));
  }

  /// Returns what lane `lane` of the group has.
  template <class T>
  static GPUSORT_DEVICE T shuffle(const T& x, int lane) {
    return shuffle_from(x, lane_id() - id() + lane);
  }

  /// Returns the sum over the group, in all its lanes.
  template <class Integer>
  static GPUSORT_DEVICE Integer sum(Integer x) {
#pragma unroll
    for (int i = 1; i < Lanes; i *= 2) x += __shfl_xor_sync(full_warp, x, i);
    return x;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

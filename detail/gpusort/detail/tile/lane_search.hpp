// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/lane_group.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Returns the first index in [low, high) that is not before something, or `high`: a search of
/// Lanes neighbouring lanes, which ask about as many indices in each round, at first about those 2
/// * reach apart around `guess`. All lanes of the warp call it, the lanes of a search with the same
/// arguments, and get the same answer. It is in [low, high] whatever is_before says.
template <int Lanes, class IsBefore>
GPUSORT_DEVICE std::uint64_t lane_search(std::uint64_t low, std::uint64_t high, std::uint64_t guess,
                                         std::uint64_t reach, IsBefore is_before) {
  using lanes = lane_group<Lanes>;
  std::uint64_t step = 2 * reach;
  std::uint64_t first = guess > low + (Lanes - 1) * reach ? guess - (Lanes - 1) * reach : low;
  while (__any_sync(full_warp, low < high)) {
    const std::uint64_t index = first + lanes::id() * step;
    const bool is_low = index < high && is_before(index);
    const int below = __clz(__brev(~lanes::ballot(is_low)));  // the lanes before the first "no"
    low = below > 0 ? first + (below - 1) * step + 1 : low;
    high = below < Lanes ? min_of(high, first + below * step) : high;
    step = (high - low) / (Lanes + 1) + 1;
    first = low + step - 1;
  }
  return low;
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

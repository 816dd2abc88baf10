// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/multiway_select.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A block of one warp finds the places of one rank. `bounds` has a multiple of 32 of them, at
/// least k, for each rank.
template <class In, class Compare>
GPUSORT_KERNEL void __launch_bounds__(tile::warp_size)
    select_places_kernel(const sorted_run<In>* runs, int k, const std::uint64_t* ranks,
                         std::uint64_t* places, tile::selection_bounds* bounds, Compare compare) {
  const int runs_per_lane = ceil_div(k, tile::warp_size);
  const int first = tile::lane_id() * runs_per_lane;
  const std::uint64_t rank = blockIdx.x;
  tile::many_bounds own{bounds + (rank * tile::warp_size * runs_per_lane + first), runs_per_lane};
  for (int j = 0; j < runs_per_lane; ++j) own[j] = {0, first + j < k ? runs[first + j].count : 0};
  tile::multiway_select([=](int i) { return runs[i].data; }, ranks[rank], own, compare);
  for (int j = 0; j < runs_per_lane && first + j < k; ++j) {
    places[rank * k + first + j] = own[j].low;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

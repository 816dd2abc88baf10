// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/multiway_select.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Finds the cuts of one rank by a block of one warp. `bounds` has a multiple of 32 of them, at
/// least k, for each rank.
template <class In, class Compare>
GPUSORT_KERNEL void __launch_bounds__(tile::warp_size)
    select_cuts_kernel(const sorted_run<In>* runs, int k, const std::uint64_t* ranks,
                       std::uint64_t* cuts, tile::selection_bounds<std::uint64_t>* bounds,
                       Compare compare) {
  const int runs_per_lane = ceil_div(k, tile::warp_size);
  const std::uint64_t rank = blockIdx.x;
  const std::uint64_t lane = rank * tile::warp_size + tile::lane_id();
  tile::many_bounds own{bounds + lane * runs_per_lane, runs_per_lane};
  std::uint64_t all = 0;
  for (int j = 0; j < runs_per_lane; ++j) {
    const int i = j * tile::warp_size + tile::lane_id();
    own[j] = {0, i < k ? runs[i].count : 0, 0};
    all += own[j].high;
  }
  const auto own_run = [=](int j) { return runs[j * tile::warp_size + tile::lane_id()].data; };
  tile::multiway_select<typename In::value_type>(own_run, ranks[rank], tile::warp_sum(all),
                                                 std::uint64_t{0}, own, compare);
  for (int j = 0; j < runs_per_lane; ++j) {
    const int i = j * tile::warp_size + tile::lane_id();
    if (i < k) cuts[rank * k + i] = own[j].low;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

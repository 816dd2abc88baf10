// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/multiway_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Each block writes tiles of the merged order one after the other, and has the next one on its way
/// to shared memory while it merges the one that has come. For arrays whose loads are asynchronous.
template <class Merger, int BlocksResident, class Runs, class Out, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Merger::threads_per_block, BlocksResident)
    merge_ahead_kernel(Runs runs, merge_cuts cuts, Out out, Compare compare) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  auto* const sides = reinterpret_cast<typename Merger::storage*>(dynamic);
  const auto lay_out = [&](typename Merger::storage& side, const merged_tile<Runs>& coming) {
    if (tile::warp_id() == 0) Merger::lay_out(side, coming.group.k, coming);
  };
  const merged_tile<Runs> first(runs, cuts, blockIdx.x);
  lay_out(sides[0], first);
  __syncthreads();
  int own = Merger::start_loads(sides[0], first.group.k);
  int side = 0;
#pragma unroll 1
  for (std::uint64_t t = blockIdx.x; t < cuts.tiles; t += gridDim.x, side ^= 1) {
    const std::uint64_t next = t + gridDim.x;
    const merged_tile<Runs> now(runs, cuts, t);
    auto& shared = sides[side];
    auto& other = sides[side ^ 1];
    int next_k = 0;
    if (next < cuts.tiles) {
      const merged_tile<Runs> coming(runs, cuts, next);
      next_k = coming.group.k;
      lay_out(other, coming);
    }
    tile::wait_for_loads();
    __syncthreads();
    const int next_own = next_k > 0 ? Merger::start_loads(other, next_k) : 0;
    Merger::merge_loaded(shared, now.group.k, own, compare);
    tile::store_tile(out, now.group.first_out + now.begin, static_cast<int>(now.end - now.begin),
                     shared.tile);
    __syncthreads();  // before the tile after the next one is laid out here
    own = next_own;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

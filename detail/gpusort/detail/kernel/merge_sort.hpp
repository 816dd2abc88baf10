// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts each tile of `from` into the same places of `to`, which may be the same array.
template <class Sorter, class From, class To, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    merge_sort_tiles_kernel(From from, To to, std::uint64_t n, Compare compare) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  auto& shared = *reinterpret_cast<typename Sorter::storage*>(dynamic);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * Sorter::items_per_tile;
  const int count = static_cast<int>(min_of(n - first, Sorter::items_per_tile));
  tile::stage_tile<Sorter>(shared, count, [&](int i) { return from.load(first + i); });
  __syncthreads();
  Sorter::sort(shared, count, compare);
  tile::unstage_tile<Sorter>(shared, count, to, first);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

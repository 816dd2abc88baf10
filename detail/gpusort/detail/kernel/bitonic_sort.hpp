// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/bitonic_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts each tile.
template <int ThreadsPerBlock, class Tile, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    bitonic_sort_tiles_kernel(Array data, std::uint64_t n, Compare compare) {
  __shared__ typename Tile::storage shared;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * Tile::items_per_tile;
  const int count = static_cast<int>(min_of(n - first, Tile::items_per_tile));
  Tile::sort(shared, data, first, count, compare);
}

/// LogGroup steps in a row, from spans of 2^log_span downwards; mirrored where a merge begins. Each
/// thread has a group of elements to itself.
template <int ThreadsPerBlock, int LogGroup, bool Mirrored, bool InRegisters, class Array,
          class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    bitonic_steps_kernel(Array data, std::uint64_t n, std::uint64_t groups, int log_span,
                         Compare compare) {
  const std::uint64_t group = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (group >= groups) return;
  if constexpr (InRegisters) {
    using element = typename Array::value_type;
    tile::exchange_in_registers<LogGroup, Mirrored, element>(data, n, group, log_span, compare);
  } else {
    tile::exchange_in_place<Mirrored>(data, n, group, log_span, compare);
  }
}

/// The steps inside each tile that end a merge.
template <int ThreadsPerBlock, class Tile, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    bitonic_merge_tiles_kernel(Array data, std::uint64_t n, Compare compare) {
  __shared__ typename Tile::storage shared;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * Tile::items_per_tile;
  const int count = static_cast<int>(min_of(n - first, Tile::items_per_tile));
  Tile::merge(shared, data, first, count, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

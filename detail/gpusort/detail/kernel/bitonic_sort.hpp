// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts each tile, or does the steps inside each tile that end a merge: what Tile does.
template <class Tile, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tile::threads_per_block)
    bitonic_tiles_kernel(Array data, std::uint64_t n, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<typename Tile::storage*>(raw);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * Tile::items_per_tile;
  const int count = static_cast<int>(min_of(n - first, Tile::items_per_tile));
  Tile::run(shared, data, first, count, compare);
}

/// Makes LogGroup steps in a row, from spans of 2^log_span downwards; mirrored where a merge
/// begins. Each thread has a group of elements to itself.
template <int ThreadsPerBlock, int LogGroup, bool Mirrored, class Steps, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    bitonic_steps_kernel(Array data, std::uint64_t n, std::uint64_t groups, int log_span,
                         Compare compare) {
  const std::uint64_t group = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (group >= groups) return;
  Steps::template run<LogGroup, Mirrored>(data, n, group, log_span, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sets *is_unsorted where an element comes before the one to its left. n >= 2. Blocks take one
/// tile after the other, until somebody has set it; nobody waits for anybody. Past the end the last
/// pair is compared again, so that no load waits for a branch.
template <int ThreadsPerBlock, int ItemsPerThread, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    is_sorted_kernel(Array array, std::uint64_t n, Compare compare, int* is_unsorted) {
  constexpr std::uint64_t items_per_tile = ThreadsPerBlock * ItemsPerThread;
  for (std::uint64_t tile = blockIdx.x * items_per_tile; tile < n - 1;
       tile += gridDim.x * items_per_tile) {
    if (*static_cast<volatile int*>(is_unsorted) != 0) return;
    bool found = false;
    for (int k = 0; k < ItemsPerThread; ++k) {
      const std::uint64_t i = tile + static_cast<unsigned>(k * ThreadsPerBlock) + threadIdx.x;
      const std::uint64_t left = i < n - 2 ? i : n - 2;
      found |= static_cast<bool>(compare(array.load(left + 1), array.load(left)));
    }
    if (found) *is_unsorted = 1;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

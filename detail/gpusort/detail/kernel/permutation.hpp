// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/predicate.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Clears *is_permutation unless each of 0 .. n - 1 is among n indices. `unmet` has a bit for each,
/// and all of them are set when it begins.
template <int ThreadsPerBlock, int ItemsPerThread, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    check_permutation_kernel(const Index* __restrict__ indices, std::uint64_t n,
                             std::uint32_t* unmet, std::uint32_t* is_permutation) {
  const std::uint64_t first =
      std::uint64_t{blockIdx.x} * (ThreadsPerBlock * ItemsPerThread) + threadIdx.x;
  bool is_wrong = false;
#pragma unroll
  for (int k = 0; k < ItemsPerThread; ++k) {
    const std::uint64_t i = first + static_cast<unsigned>(k * ThreadsPerBlock);
    if (i >= n) continue;
    const Index index = indices[i];
    const std::uint32_t bit = 1u << (index & 31);
    is_wrong |= index >= n || (atomicAnd(unmet + (index >> 5), ~bit) & bit) == 0;
  }
  if (is_wrong) *is_permutation = 0;
}

/// Inverts a permutation: inverse[order[i]] = i, where gate is set.
template <int ThreadsPerBlock, class Index>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    invert_permutation_kernel(const Index* __restrict__ order, std::uint64_t n,
                              Index* __restrict__ inverse, predicate gate) {
  if (!gate.is_set()) return;
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i < n) inverse[order[i]] = static_cast<Index>(i);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

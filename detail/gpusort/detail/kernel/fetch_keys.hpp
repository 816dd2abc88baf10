// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/index_at.hpp>
#include <new>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Fetches keys[i] = fetch(first + i).
template <int ThreadsPerBlock, class Index, class Fetch, class Key>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    fetch_keys_kernel(Index first, std::uint64_t n, Fetch fetch, Key* keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (i < n) ::new (keys + i) Key(fetch(index_at(first, i)));
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

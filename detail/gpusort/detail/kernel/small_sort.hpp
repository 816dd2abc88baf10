// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/signal_completion.hpp>
#include <gpusort/detail/tile/block_sort_any_length.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts the whole input by one block.
template <tuning::architecture Arch, class Sorter, class In, class Out, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    small_sort_kernel(In in, Out out, int n, Compare compare, std::uint32_t* completion) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
    Sorter::sort(shared, in, n, compare);
    tile::store_tile(out, 0, n, shared.tile);
    signal_completion(completion);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

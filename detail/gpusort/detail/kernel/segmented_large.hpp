// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/grid_barrier.hpp>
#include <gpusort/detail/kernel/quicksort_partition.hpp>
#include <gpusort/detail/kernel/quicksort_pieces.hpp>
#include <gpusort/detail/kernel/quicksort_plan.hpp>
#include <gpusort/detail/kernel/segmented_lists.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Splits all listed sequences together by quicksort's phase one, level by level between `data` and
/// `spare`. Launched cooperatively, so all blocks are resident. Ends at once where there are none,
/// and after as many levels as there is something to split.
template <class Tuning, class Array, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    split_segments_kernel(Array data, Array spare, segment_lists lists, quicksort_state<T> state,
                          Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  const grid_barrier grid{};
  const auto listed = static_cast<std::uint32_t>(lists.totals->listed[as_sequence]);
  if (lists.is_non_monotone() || listed == 0) return;
  auto& shared = *reinterpret_cast<partition_storage<Tuning, T>*>(raw);
  if (threadIdx.x == 0) shared.lefts = shared.rights = 0;
  constexpr int warps_per_block = Tuning::threads_per_block / tile::warp_size;
  const std::uint32_t warp = blockIdx.x * warps_per_block + tile::warp_id();
  const std::uint32_t warps = gridDim.x * warps_per_block;
  for (std::uint32_t k = warp; k < listed; k += warps) {
    plan_part<Tuning>(state, 0, data, lists.sequences[k], tile::lower_bound_of<T>{T{}, false},
                      compare);
  }
  grid.sync();
  for (int level = 0; state.levels[level].sequences > 0; ++level) {
    const Array from = level % 2 == 0 ? data : spare, to = level % 2 == 0 ? spare : data;
    partition_level(shared, from, to, state, level, compare);
    grid.sync();
    plan_level<Tuning>(to, state, level, warp, warps, compare);
    grid.sync();
  }
}

/// Sorts pieces by quicksort's phase two: each block one after the other.
template <class Tuning, class Sorter, class Array, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::piece_threads_per_block,
                                      Tuning::piece_blocks_resident)
    sort_segment_pieces_kernel(Array data, Array spare, segment_lists lists,
                               quicksort_state<T> state, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  if (lists.is_non_monotone()) return;
  sort_pieces<Sorter>(*reinterpret_cast<typename Sorter::storage*>(raw),
                      quicksort_arrays<Array, Array>{data, spare, data}, state, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

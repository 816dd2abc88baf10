// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/quicksort_state.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Begins: one block makes the input a sequence; the others probe it meanwhile.
template <class Tuning, class In, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::plan_threads_per_block)
    begin_quicksort_kernel(In in, global_size n, quicksort_state<T> state, Compare compare) {
  wait_for_previous_kernel();
  if (blockIdx.x > 0) {
    const int probe = static_cast<int>(blockIdx.x) - 1;
    const std::uint32_t found = find_violations(in, n, probe, state.probe.blocks, compare);
    if (threadIdx.x == 0) state.probe.violations[probe] = found;
    return;
  }
  for (int level = threadIdx.x; level <= state.last_level; level += blockDim.x) {
    state.levels[level] = {0, 0};
  }
  if (threadIdx.x == 0) {
    *state.totals = {0, 0, 0};
    *state.longer.totals = {};
  }
  __syncthreads();
  if (tile::warp_id() == 0) {
    plan_part<Tuning>(state, 0, in, {0, n, false}, tile::lower_bound_of<T>{T{}, false}, compare);
  }
}

/// Plans what follows a level's partition: its sequences' parts become sequences of the next one,
/// or pieces. Each of `warps` warps plans a part of those that the partition left in `parts`.
template <class Tuning, class Array, class T, class Compare>
GPUSORT_DEVICE void plan_level(const Array& parts, const quicksort_state<T>& state, int level,
                               std::uint32_t warp, std::uint32_t warps, Compare& compare) {
  const std::uint32_t sequences = state.levels[level].sequences;
  for (std::uint32_t k = warp; k < 2 * sequences; k += warps) {
    const quicksort_sequence<T>& whole = state.sequences_of(level)[k / 2];
    if (k % 2 == 0) {
      plan_part<Tuning>(state, level + 1, parts, {whole.begin, whole.lefts, whole.rule.takes_equal},
                        whole.bound, compare);
    } else {
      plan_part<Tuning>(state, level + 1, parts, {whole.begin + whole.lefts, whole.rights, false},
                        tile::lower_bound_of<T>{whole.rule.pivot, true}, compare);
    }
  }
}

template <class Tuning, class Array, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::plan_threads_per_block)
    plan_parts_kernel(Array parts, quicksort_state<T> state, int level, Compare compare) {
  wait_for_previous_kernel();
  if (state.probe.is_in_order()) return;
  constexpr int warps = Tuning::plan_threads_per_block / tile::warp_size;
  plan_level<Tuning>(parts, state, level, blockIdx.x * warps + tile::warp_id(), gridDim.x * warps,
                     compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

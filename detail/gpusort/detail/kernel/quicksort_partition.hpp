// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/quicksort_state.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// What a block's tile needs: how many of its items go where, and which places it got for them.
struct partition_storage {
  int lefts;
  int rights;
  global_size left_place;
  global_size right_place;
};

/// Splits one tile of a sequence: its items' sides are found, places for them reserved in both ends
/// of the sequence's range of `to`, and the items stored. Block-wide; tiles may follow each other.
template <class Tuning, class From, class Array, class T, class Exists, class Compare>
GPUSORT_DEVICE void partition_tile(partition_storage& shared, const From& from, const Array& to,
                                   quicksort_sequence<T>& whole, global_size first, int count,
                                   const Exists& exists, Compare& compare) {
  constexpr int items = Tuning::items_per_thread;
  if (threadIdx.x == 0) shared.lefts = shared.rights = 0;
  const int warp_first = tile::warp_id() * tile::warp_size * items;
  T x[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (exists(i)) x[i] = from.load(first + warp_first + tile::warp_size * i + tile::lane_id());
  }
  const tile::split_rule<T> rule = whole.rule;
  tile::warp_split<items> split;
  const int lefts = split.find(exists, [&](int i) { return rule.goes_left(x[i], compare); });
  const int existing = warp_first < count ? min_of(count - warp_first, tile::warp_size * items) : 0;
  const int rights = existing - lefts;
  __syncthreads();
  int reserved = 0;
  if (tile::lane_id() == 0) reserved = atomicAdd(&shared.lefts, lefts);
  if (tile::lane_id() == 1) reserved = atomicAdd(&shared.rights, rights);
  __syncthreads();
  if (threadIdx.x == 0) {
    shared.left_place = whole.begin + atomicAdd(&whole.lefts, global_size(shared.lefts));
  }
  if (threadIdx.x == 1) {
    shared.right_place =
        whole.begin + whole.count - 1 - atomicAdd(&whole.rights, global_size(shared.rights));
  }
  __syncthreads();
  const global_size left = shared.left_place + __shfl_sync(tile::full_warp, reserved, 0);
  const global_size right = shared.right_place - __shfl_sync(tile::full_warp, reserved, 1);
  split.for_each(exists, [&](int i, bool is_left, int rank) {
    to.store(is_left ? left + rank : right - rank, x[i]);
  });
}

/// Phase one, a level: many blocks split each sequence of `from` into its range of `to`. One
/// comparison for an element.
template <class Tuning, class From, class Array, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    partition_kernel(From from, Array to, quicksort_state<T> state, int level, Compare compare) {
  __shared__ partition_storage shared;
  wait_for_previous_kernel();
  if (level == 0) {
    const std::uint32_t found = all_violations(state.probe);
    if (blockIdx.x == 0 && threadIdx.x == 0) *state.probe.all = found;
    if (found != neither) return;
  }
  const std::uint32_t tiles = state.levels[level].tiles;
  for (std::uint32_t k = blockIdx.x; k < tiles; k += gridDim.x) {
    quicksort_sequence<T>& whole = state.sequences[level % 2][state.tiles[level % 2][k]];
    const global_size before = global_size{k - whole.first_tile} * Tuning::items_per_tile;
    const global_size first = whole.begin + before;
    const int count =
        static_cast<int>(min_of<global_size>(Tuning::items_per_tile, whole.count - before));
    if (count == Tuning::items_per_tile) {
      partition_tile<Tuning>(
          shared, from, to, whole, first, count, [](int) { return true; }, compare);
    } else {
      const int mine =
          tile::warp_id() * tile::warp_size * Tuning::items_per_thread + tile::lane_id();
      const auto exists = [&](int i) { return mine + tile::warp_size * i < count; };
      partition_tile<Tuning>(shared, from, to, whole, first, count, exists, compare);
    }
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

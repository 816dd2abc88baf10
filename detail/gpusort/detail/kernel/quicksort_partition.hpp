// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/quicksort_state.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A tile's items, those that go left first, and how many of them go where.
template <class Tuning, class T>
struct partition_storage {
  T items[Tuning::items_per_tile];
  int lefts;   // so far; 0 between tiles
  int rights;  // so far; 0 between tiles
  int left_count;
  global_size left_destination;   // of item 0
  global_size right_destination;  // of item 0, had it gone right
};

/// Reserves destinations for a tile in both ends of its sequence's range. By one thread.
template <class Storage, class T>
GPUSORT_DEVICE void reserve_destinations(Storage& shared, quicksort_sequence<T>& whole) {
  const global_size lefts = shared.lefts, rights = shared.rights;
  const global_size left = atomicAdd(&whole.lefts, lefts);
  const global_size right = atomicAdd(&whole.rights, rights);
  shared.left_destination = whole.begin + left;
  shared.right_destination = whole.begin + whole.count - right - rights - lefts;
  shared.left_count = shared.lefts;
  shared.lefts = shared.rights = 0;
}

/// Splits `count` items of a sequence from `first` on: their sides are found, then they are
/// regrouped in shared memory and stored in the destinations reserved. Block-wide; tiles may follow
/// each other.
template <class Tuning, class From, class Array, class T, class Exists, class Compare>
GPUSORT_DEVICE void partition_tile(partition_storage<Tuning, T>& shared, const From& from,
                                   const Array& to, quicksort_sequence<T>& whole, global_size first,
                                   int count, const Exists& exists, Compare& compare) {
  constexpr int items = Tuning::items_per_thread;
  T x[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (exists(i)) x[i] = from.load(first + threadIdx.x + i * Tuning::threads_per_block);
  }
  tile::warp_split<items> split;
  whole.rule.find(split, x, exists, compare);
  __syncthreads();
  int reserved = 0;
  if (tile::lane_id() == 0) reserved = atomicAdd(&shared.lefts, split.lefts());
  if (tile::lane_id() == 1) reserved = atomicAdd(&shared.rights, split.rights());
  const int left = __shfl_sync(tile::full_warp, reserved, 0);
  const int right = count - 1 - __shfl_sync(tile::full_warp, reserved, 1);
  split.for_each(exists, left, right, [&](int i, int where) { shared.items[where] = x[i]; });
  __syncthreads();
  if (threadIdx.x == 0) reserve_destinations(shared, whole);
  __syncthreads();
  const int left_count = shared.left_count;
  const global_size left_destination = shared.left_destination,
                    right_destination = shared.right_destination;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int k = i * Tuning::threads_per_block + static_cast<int>(threadIdx.x);
    if (exists(i)) {
      to.store((k < left_count ? left_destination : right_destination) + k, shared.items[k]);
    }
  }
}

/// Splits each sequence of a level of `from` into its range of `to`, by all blocks. One comparison
/// for an element. The tile's counters are 0 before, and after.
template <class Tuning, class From, class Array, class T, class Compare>
GPUSORT_DEVICE void partition_level(partition_storage<Tuning, T>& shared, const From& from,
                                    const Array& to, const quicksort_state<T>& state, int level,
                                    Compare& compare) {
  const std::uint32_t tiles = state.levels[level].tiles;
  const std::uint32_t* const sequence_of = state.tiles_of(level);
  for (std::uint32_t k = blockIdx.x; k < tiles; k += gridDim.x) {
    quicksort_sequence<T>& whole = state.sequences_of(level)[sequence_of[k]];
    const global_size before = global_size{k - whole.first_tile} * Tuning::items_per_tile;
    const global_size first = whole.begin + before;
    const int count =
        static_cast<int>(min_of<global_size>(Tuning::items_per_tile, whole.count - before));
    if (count == Tuning::items_per_tile) {
      partition_tile(
          shared, from, to, whole, first, count, [](int) { return true; }, compare);
    } else {
      const auto exists = [=](int i) {
        return i * Tuning::threads_per_block + static_cast<int>(threadIdx.x) < count;
      };
      partition_tile(shared, from, to, whole, first, count, exists, compare);
    }
  }
}

/// Partitions a level of phase one.
template <class Tuning, class From, class Array, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    partition_kernel(From from, Array to, quicksort_state<T> state, int level, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  if (level == 0) {
    const std::uint32_t found = all_violations(state.probe);
    if (blockIdx.x == 0 && threadIdx.x == 0) *state.probe.all = found;
    if (found != neither) return;
  }
  auto& shared = *reinterpret_cast<partition_storage<Tuning, T>*>(raw);
  if (threadIdx.x == 0) shared.lefts = shared.rights = 0;
  partition_level(shared, from, to, state, level, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

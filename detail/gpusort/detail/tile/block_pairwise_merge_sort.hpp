// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <climits>
#include <gpusort/detail/tile/merge_path.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tile/tile_items.hpp>
#include <gpusort/detail/tile/warp_bitonic_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block sorts items that its threads hold, thread t those from t * ItemsPerThread on, into a
/// tile in shared memory. Runs of LanesPerRun lanes are sorted in registers; runs are merged in
/// pairs, as long as they are a warp's own without waiting for others. Any count up to
/// items_per_tile; padding is never compared; the tile is a permutation of the items whatever the
/// comparator answers. Source: paper 003, sections 5.3.4 and 5.4; paper 004 for runs of several
/// lanes.
template <class T, int ThreadsPerBlock, int ItemsPerThread, int LanesPerRun, bool Stable>
struct block_pairwise_merge_sort {
  static constexpr int items_per_tile = ThreadsPerBlock * ItemsPerThread;
  static constexpr int items_per_merge = items_per_tile;
  static constexpr int threads_per_block = ThreadsPerBlock;
  using items = padded_items<T, items_per_tile>;

  struct storage {
    int boundaries[ThreadsPerBlock + 1];
    items tile;
  };

  /// Sorts into storage.tile[0, count). Where all items of a warp exist and it need not be stable,
  /// the warp's threads may hold its items in any order. All threads call it; it ends with a
  /// barrier.
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, T (&x)[ItemsPerThread], int count,
                                  Compare& compare) {
    const bool is_full = count == items_per_tile;
    const int warp_first = warp_id() * items_per_warp;
    if (is_full || warp_first + items_per_warp <= count) {
      sort_warp<true>(shared, x, warp_first, items_per_warp, compare);
    } else if (warp_first < count) {
      sort_warp<false>(shared, x, warp_first, count - warp_first, compare);
    }
    __syncthreads();
    if (is_full) {
      merge_runs_of_warps<true>(shared, count, compare);
    } else {
      merge_runs_of_warps<false>(shared, count, compare);
    }
  }

  /// Sorts the first `count` elements of an array into storage.tile[0, count). All threads call it,
  /// when nobody reads the tile any more; it ends with a barrier.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const Array& array, int count,
                                  Compare& compare) {
    if constexpr (Stable) {
      load_tile(array, 0, count, shared.tile);
      __syncthreads();
      sort(shared, count, compare);
    } else {
      T x[ItemsPerThread];
      items_in_memory<ThreadsPerBlock, ItemsPerThread, 1>::load(array, count, x);
      sort(shared, x, count, compare);
    }
  }

  /// Sorts storage.tile[0, count). All threads call it, after a barrier that made the items
  /// visible; it ends with a barrier.
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, int count, Compare& compare) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread;
    T x[ItemsPerThread];
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if (first + i < count) x[i] = shared.tile.template in_chunk<ItemsPerThread>(first, i);
    }
    sort(shared, x, count, compare);
  }

  /// Merges the runs [0, a_count) and [a_count, a_count + b_count) of the tile, under the rules
  /// of sort.
  template <class Compare>
  static GPUSORT_DEVICE void merge_two(storage& shared, int a_count, int b_count,
                                       Compare& compare) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread, total = a_count + b_count;
    const merge_chunk chunk{0, a_count, b_count, min_of(first, total),
                            min_of(first + ItemsPerThread, total)};
    merge<of_block, false>(shared, chunk, INT_MAX, compare);
  }

 private:
  static constexpr int items_per_warp = warp_size * ItemsPerThread;
  static constexpr bool is_power_of_two = (ItemsPerThread & (ItemsPerThread - 1)) == 0;
  static_assert(LanesPerRun == 1 || (!Stable && is_power_of_two && ItemsPerThread > 1),
                "lanes trade halves of their items, and do not keep the order of equivalent ones");

  // All loads at once and a network, or one load after the other. With 16 items the network is
  // slower: 512 x 16 u32 106 Gkeys/s to 110, 256 x 8 109 to 106.
  static constexpr bool by_network = !Stable && is_power_of_two && ItemsPerThread <= 8;

  // Who merges.
  static constexpr bool of_warp = true, of_block = false;

  /// Makes the `count` items of a warp, all of them if IsFull, a run.
  template <bool IsFull, class Compare>
  static GPUSORT_DEVICE void sort_warp(storage& shared, T (&x)[ItemsPerThread], int warp_first,
                                       int count, Compare& compare) {
    const int first = lane_id() * ItemsPerThread;
    if constexpr (Stable) {
      thread_network_sort_stable<IsFull>(x, count - first, compare);
    } else {
      thread_network_sort<IsFull>(x, count - first, compare);
    }
    if constexpr (IsFull && LanesPerRun > 1) {
#pragma unroll 1
      for (int lanes = 2; lanes <= LanesPerRun; lanes *= 2) {
        exchange_mirrored<true>(x, lanes, count, compare);
        warp_bitonic_merge<true>(x, lanes / 4, count, compare);
      }
    }
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if (IsFull || first + i < count) {
        shared.tile.template in_chunk<ItemsPerThread>(warp_first + first, i) = x[i];
      }
    }
    if constexpr (IsFull && LanesPerRun == warp_size) return;
    __syncwarp();
#pragma unroll 1
    for (int lanes = IsFull ? LanesPerRun : 1;
         lanes < warp_size && (IsFull || lanes * ItemsPerThread < count); lanes *= 2) {
      merge_chunk chunk = chunk_of<IsFull>(lane_id(), lanes, count);
      chunk.begin += warp_first;
      merge<of_warp, IsFull>(shared, chunk, warp_first + items_per_warp - 1, compare);
    }
  }

  template <bool IsFull, class Compare>
  static GPUSORT_DEVICE void merge_runs_of_warps(storage& shared, int count, Compare& compare) {
#pragma unroll 1
    for (int lanes = warp_size; lanes * ItemsPerThread < count; lanes *= 2) {
      constexpr bool is_full = IsFull && (ThreadsPerBlock & (ThreadsPerBlock - 1)) == 0;
      merge<of_block, is_full>(shared, chunk_of<is_full>(threadIdx.x, lanes, count), INT_MAX,
                               compare);
    }
  }

  /// Returns what thread `thread` of those that share `count` items writes, where `lanes` threads
  /// have a run; all chunks and runs are of the same length if IsFull.
  template <bool IsFull>
  static GPUSORT_DEVICE merge_chunk chunk_of(int thread, int lanes, int count) {
    const int run = lanes * ItemsPerThread;
    const int aligned = (thread & ~(2 * lanes - 1)) * ItemsPerThread;
    const int diagonal = thread * ItemsPerThread - aligned;
    if constexpr (IsFull) return {aligned, run, run, diagonal, diagonal + ItemsPerThread};
    const int begin = min_of(aligned, count), a_count = min_of(run, count - begin);
    const int b_count = min_of(run, count - begin - a_count), total = a_count + b_count;
    return {begin, a_count, b_count, min_of(diagonal, total),
            min_of(diagonal + ItemsPerThread, total)};
  }

  /// Merges neighbouring runs; all threads of a warp, or of the block, call it with their own
  /// chunks. Each boundary between two chunks is found once, and told to the other neighbour. When
  /// a comparator lies and some boundary is not monotone, all leave their runs as they are. Nothing
  /// after `last` is read. What it wrote is visible to the callers.
  template <bool OfWarp, bool IsFull, class Compare>
  static GPUSORT_DEVICE void merge(storage& shared, const merge_chunk& chunk, int last,
                                   Compare& compare) {
    items& tile = shared.tile;
    const int found = find_boundary(tile, chunk, compare);
    const chunk_ranges from(chunk, found, tell_neighbour<OfWarp>(shared, found));
    T merged[ItemsPerThread];
    if constexpr (by_network) {
      merge_by_network<IsFull>(tile, from.a, from.a_end, from.b, from.b_end, merged, compare);
    } else {
      merge_serially(tile, from.a, from.a_end, from.b, from.b_end, merged, compare, last);
    }
    if (!all_agree<OfWarp>(from.exist())) return;
    const int first = chunk.begin + chunk.diagonal, count = chunk.count();
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if (IsFull || i < count) tile.template in_chunk<ItemsPerThread>(first, i) = merged[i];
    }
    if constexpr (OfWarp) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  /// Returns the number of the next thread; without meaning for the last one.
  template <bool OfWarp>
  static GPUSORT_DEVICE int tell_neighbour(storage& shared, int number) {
    if constexpr (OfWarp) {
      return __shfl_down_sync(full_warp, number, 1);
    } else {
      shared.boundaries[threadIdx.x] = number;
      __syncthreads();
      return shared.boundaries[threadIdx.x + 1];
    }
  }

  /// Tells whether all agree, by a barrier.
  template <bool OfWarp>
  static GPUSORT_DEVICE bool all_agree(bool answer) {
    if constexpr (OfWarp) {
      const bool all = __all_sync(full_warp, answer) != 0;
      __syncwarp();
      return all;
    } else {
      return __syncthreads_and(answer) != 0;
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

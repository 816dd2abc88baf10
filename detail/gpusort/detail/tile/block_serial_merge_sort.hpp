// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/merge_chunks.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tile/thread_network_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block sorts a tile, or merges two runs that lie in it one after the other; stable, any
/// comparator. Threads sort chunks of ItemsPerThread items, which are then merged in pairs.
template <class T, int ThreadsPerBlock, int ItemsPerThread>
struct block_serial_merge_sort {
  static constexpr int items_per_tile = ThreadsPerBlock * ItemsPerThread;
  static constexpr int items_per_merge = items_per_tile;
  static constexpr int threads_per_block = ThreadsPerBlock;

  struct storage {
    int boundaries[ThreadsPerBlock + 1];
    T tile[items_per_tile + ItemsPerThread];  // a walk reads ahead of its run's end
  };

  /// Sorts storage.tile[0, count). All threads call it, after a barrier that made the items
  /// visible; it ends with a barrier.
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, int count, Compare& compare) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread;
    if (first < count)
      sort_chunk(shared.tile + first, min_of(ItemsPerThread, count - first), compare);
    __syncthreads();
    for (int run = ItemsPerThread; run < count; run *= 2) {
      // A power of two of chunks are sorted.
      const int chunks = run / ItemsPerThread;
      const int begin =
          min_of((static_cast<int>(threadIdx.x) & ~(2 * chunks - 1)) * ItemsPerThread, count);
      merge(shared, begin, min_of(run, count - begin), min_of(2 * run, count - begin), compare);
    }
  }

  /// Sorts the first `count` elements of an array into storage.tile[0, count). All threads call it,
  /// when nobody reads the tile any more; it ends with a barrier.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const Array& array, int count,
                                  Compare& compare) {
    load_tile(array, 0, count, shared.tile);
    __syncthreads();
    sort(shared, count, compare);
  }

  /// Merges the runs [0, a_count) and [a_count, a_count + b_count) of the tile, under the rules
  /// of sort.
  template <class Compare>
  static GPUSORT_DEVICE void merge_two(storage& shared, int a_count, int b_count,
                                       Compare& compare) {
    merge(shared, 0, a_count, a_count + b_count, compare);
  }

 private:
  // Longer chunks are sorted as two, which the thread merges: neighbours are exchanged n^2 / 2
  // times.
  static constexpr int max_items_by_exchanges = 17;

  template <class Compare>
  static GPUSORT_DEVICE void sort_chunk(T* items, int count, Compare& compare) {
    constexpr bool is_halved = ItemsPerThread > max_items_by_exchanges;
    constexpr int half = is_halved ? ItemsPerThread / 2 : ItemsPerThread;
    sort_part<half>(items, count, compare);
    if constexpr (is_halved) {
      sort_part<ItemsPerThread - half>(items + half, count - half, compare);
      T merged[ItemsPerThread];
      merge_in_turn(items, 0, min_of(half, count), half, count, merged, compare,
                    ItemsPerThread - 1);
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        if (i < count) items[i] = merged[i];
      }
    }
  }

  /// Sorts as many of the Items items as exist.
  template <int Items, class Compare>
  static GPUSORT_DEVICE void sort_part(T* items, int count, Compare& compare) {
    T x[Items];
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (i < count) x[i] = items[i];
    }
    if (count >= Items) {
      thread_network_sort_stable<true>(x, count, compare);
    } else {
      thread_network_sort_stable<false>(x, count, compare);
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (i < count) items[i] = x[i];
    }
  }

  /// Merges [begin, begin + a_count) with what follows it up to begin + total.
  template <class Compare>
  static GPUSORT_DEVICE void merge(storage& shared, int begin, int a_count, int total,
                                   Compare& compare) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread - begin;
    const run_chunk chunk{begin,
                          a_count,
                          begin + a_count,
                          total - a_count,
                          min_of(first, total),
                          min_of(first + ItemsPerThread, total)};
    merge_run_chunk<ItemsPerThread>(shared.tile, shared.boundaries, chunk, compare);
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

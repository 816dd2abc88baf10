// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/last_key.hpp>
#include <gpusort/detail/tile/merge_path.hpp>
#include <gpusort/detail/tile/warp_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block sorts a tile in shared memory: runs sorted in registers (by a warp, or by a thread where
/// equivalent elements must keep their order), then merged in pairs. Any count up to
/// items_per_tile; padding is compared only where last_key is known; the tile stays a permutation
/// whatever the comparator answers. The tile has room for TileItems items; no more than
/// items_per_tile can be sorted.
template <class T, int ThreadsPerBlock, int ItemsPerThread, bool Stable,
          int TileItems = ThreadsPerBlock* ItemsPerThread>
struct block_sort {
  static constexpr int items_per_tile = ThreadsPerBlock * ItemsPerThread;
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_run = Stable ? ItemsPerThread : tile::warp_size * ItemsPerThread;
  using items = padded_items<T, TileItems>;

  struct storage {
    int boundaries[ThreadsPerBlock + 1];
    items tile;
  };

  /// Sorts storage.tile[0, count). All threads call it, after a barrier that made the items
  /// visible; it ends with a barrier.
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, int count, Compare& compare) {
    sort_runs(shared.tile, count, compare);
    __syncthreads();
    for (int run = items_per_run; run < count; run *= 2) {
      merge_chunks<ItemsPerThread, Stable>(shared.tile, shared.boundaries, chunk_of(run, count),
                                           compare);
    }
  }

  /// Merges the runs [0, a_count) and [a_count, a_count + b_count) of the tile. The same rules.
  template <class Compare>
  static GPUSORT_DEVICE void merge_two(storage& shared, int a_count, int b_count,
                                       Compare& compare) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread;
    const int total = a_count + b_count;
    const merge_chunk chunk{0, a_count, b_count, min_of(first, total),
                            min_of(first + ItemsPerThread, total)};
    merge_chunks<ItemsPerThread, Stable>(shared.tile, shared.boundaries, chunk, compare);
  }

 private:
  static_assert((ItemsPerThread & (ItemsPerThread - 1)) == 0, "chunks are found by masks");

  template <class Compare>
  static GPUSORT_DEVICE void sort_runs(items& tile, int count, Compare& compare) {
    constexpr int items_per_warp = warp_size * ItemsPerThread;
    const int warp_first = warp_id() * items_per_warp;
    if (warp_first >= count) return;
    // Padded tiles need no second copy of the code for full ones.
    if (!last_key<T, Compare>::is_known && warp_first + items_per_warp <= count) {
      sort_run<true>(tile, items_per_warp, warp_first, compare);
      return;
    }
    sort_run<false>(tile, min_of(items_per_warp, count - warp_first), warp_first, compare);
  }

  /// The `count` items of a warp from `warp_first` on; one run of them, or one for each thread.
  template <bool IsFull, class Compare>
  static GPUSORT_DEVICE void sort_run(items& tile, int count, int warp_first, Compare& compare) {
    using last = last_key<T, Compare>;
    constexpr bool exists = IsFull || last::is_known;
    const int first = lane_id() * ItemsPerThread;
    T x[ItemsPerThread];
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if constexpr (last::is_known) x[i] = last::value();
      if (IsFull || first + i < count) {
        x[i] = tile.template in_chunk<ItemsPerThread>(warp_first + first, i);
      }
    }
    if constexpr (Stable) {
      thread_sort_stable<exists, ItemsPerThread>(x, count - first, compare);
    } else {
      warp_sort<exists, ItemsPerThread>(x, count, compare);
    }
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if (IsFull || first + i < count) {
        tile.template in_chunk<ItemsPerThread>(warp_first + first, i) = x[i];
      }
    }
  }

  static GPUSORT_DEVICE merge_chunk chunk_of(int run, int count) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread;
    const int begin = min_of(first & ~(2 * run - 1), count);
    merge_chunk chunk;
    chunk.begin = begin;
    chunk.a_count = min_of(run, count - begin);
    chunk.b_count = min_of(run, count - begin - chunk.a_count);
    chunk.diagonal = min_of(first - begin, chunk.a_count + chunk.b_count);
    chunk.next_diagonal = min_of(chunk.diagonal + ItemsPerThread, chunk.a_count + chunk.b_count);
    return chunk;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
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
template <class T, int ThreadsPerBlock, int ItemsPerThread, bool Stable, int ChunksPerThread = 1,
          int TileItems = (2 * ChunksPerThread - 1) * ThreadsPerBlock* ItemsPerThread>
struct block_sort {
  static constexpr int items_per_tile = ChunksPerThread * ThreadsPerBlock * ItemsPerThread;
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_run = Stable ? ItemsPerThread : tile::warp_size * ItemsPerThread;
  using items = padded_items<T, TileItems>;

  struct storage {
    int boundaries[ChunksPerThread * ThreadsPerBlock + 1];
    items tile;
  };

  /// Sorts storage.tile[0, count). All threads call it, after a barrier that made the items
  /// visible; it ends with a barrier.
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, int count, Compare& compare) {
    sort_runs(shared.tile, count, compare, in_tile{shared.tile});
    merge_runs(shared, count, compare);
  }

  /// Sorts the first `count` elements of an array into storage.tile[0, count). All threads call it,
  /// when nobody reads the tile any more; it ends with a barrier.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, const Array& array, int count,
                                  Compare& compare) {
    sort_runs(shared.tile, count, compare, in_array<Array>{shared.tile, array});
    merge_runs(shared, count, compare);
  }

  /// Merges the runs [0, a_count) and [a_count, a_count + b_count) of the tile. The same rules.
  template <class Compare>
  static GPUSORT_DEVICE void merge_two(storage& shared, int a_count, int b_count,
                                       Compare& compare) {
    const int total = a_count + b_count;
    merge_all(shared, total, true, compare, [&](int first) {
      return merge_chunk{0, a_count, b_count, min_of(first, total),
                         min_of(first + ItemsPerThread, total)};
    });
  }

 private:
  static constexpr int items_at_once = ThreadsPerBlock * ItemsPerThread;
  static_assert((ItemsPerThread & (ItemsPerThread - 1)) == 0, "chunks are found by masks");
  static_assert(ChunksPerThread <= 2, "one half of a tile has room behind it");

  // Where a warp's items are. take(first, x) is for those that all exist and may be taken in any
  // order; arrange(first, count) puts them into the tile.
  struct in_tile {
    items& tile;
    GPUSORT_DEVICE void take(int first, T (&x)[ItemsPerThread]) const {
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) x[i] = tile[first + i * warp_size + lane_id()];
      __syncwarp();
    }
    GPUSORT_DEVICE void arrange(int, int) const {}
  };
  template <class Array>
  struct in_array {
    items& tile;
    const Array& array;
    GPUSORT_DEVICE void take(int first, T (&x)[ItemsPerThread]) const {
      const std::uint64_t mine = first + lane_id();
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) x[i] = array.load(mine + i * warp_size);
    }
    // Without an array of its own: where a comparator takes members by run-time pointers, so that
    // arrays are in local memory, nvcc 13.0 put it, and what shares its place, where elements
    // of the calling kernel still were.
    GPUSORT_DEVICE void arrange(int first, int count) const {
      const std::uint64_t mine = first + lane_id();
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        const int place = i * warp_size + lane_id();
        if (place < count) tile[first + place] = array.load(mine + i * warp_size);
      }
      __syncwarp();
    }
  };

  template <class Compare, class Source>
  static GPUSORT_DEVICE void sort_runs(items& tile, int count, Compare& compare,
                                       const Source& source) {
    constexpr int items_per_warp = warp_size * ItemsPerThread;
#pragma unroll 1
    for (int first = warp_id() * items_per_warp; first < count; first += items_at_once) {
      // Padded tiles need no second copy of the code for full ones.
      if (!last_key<T, Compare>::is_known && first + items_per_warp <= count) {
        sort_run<true>(tile, items_per_warp, first, compare, source);
      } else {
        sort_run<false>(tile, min_of(items_per_warp, count - first), first, compare, source);
      }
    }
  }

  /// The `count` items of a warp from `warp_first` on; one run of them, or one for each thread.
  template <bool IsFull, class Compare, class Source>
  static GPUSORT_DEVICE void sort_run(items& tile, int count, int warp_first, Compare& compare,
                                      const Source& source) {
    using last = last_key<T, Compare>;
    constexpr bool exists = IsFull || last::is_known;
    const int first = lane_id() * ItemsPerThread;
    T x[ItemsPerThread];
    if constexpr (IsFull && !Stable) {
      source.take(warp_first, x);
    } else {
      source.arrange(warp_first, count);
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        if constexpr (last::is_known) x[i] = last::value();
        if (IsFull || first + i < count) {
          x[i] = tile.template in_chunk<ItemsPerThread>(warp_first + first, i);
        }
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

  template <class Compare>
  static GPUSORT_DEVICE void merge_runs(storage& shared, int count, Compare& compare) {
    __syncthreads();
    for (int run = items_per_run; run < count; run *= 2) {
      const auto chunk_at = [&](int first) { return chunk_of(first, run, count); };
      merge_all(shared, count, items_at_once % (2 * run) != 0, compare, chunk_at);
    }
  }

  /// Merges pairs of runs of a tile of `count` items. Pairs of more than items_at_once are merged
  /// from the end, which goes behind the tile until the rest has been read.
  template <class Compare, class ChunkAt>
  static GPUSORT_DEVICE void merge_all(storage& shared, int count, bool is_wide, Compare& compare,
                                       ChunkAt chunk_at) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread;
    if constexpr (ChunksPerThread == 1) {
      merge_chunks<ItemsPerThread, Stable>(shared.tile, shared.boundaries, chunk_at(first), 0,
                                           compare);
    } else {
#pragma unroll 1
      for (int begin = count > items_at_once ? items_at_once : 0; begin >= 0;
           begin -= items_at_once) {
        const bool is_done = merge_chunks<ItemsPerThread, Stable>(
            shared.tile, shared.boundaries + begin / ItemsPerThread, chunk_at(begin + first),
            is_wide && begin > 0 ? items_at_once : 0, compare);
        if (!is_done) return;
      }
      if (!is_wide || count <= items_at_once) return;
      for (int i = items_at_once + threadIdx.x; i < count; i += ThreadsPerBlock) {
        shared.tile[i] = shared.tile[i + items_at_once];
      }
      __syncthreads();
    }
  }

  /// The chunk that begins at item `first` of the tile.
  static GPUSORT_DEVICE merge_chunk chunk_of(int first, int run, int count) {
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

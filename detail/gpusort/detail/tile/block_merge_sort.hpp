// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/merge_path.hpp>
#include <gpusort/detail/tile/padding_key.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tile/warp_bitonic_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The shared memory of a block_merge_sort, whichever way it sorts.
template <class T, int Chunks, int TileItems>
struct block_merge_sort_storage {
  int boundaries[Chunks + 1];
  padded_items<T, TileItems> tile;
};

/// The shared memory of a block_merge_sort by any number of threads, which others hold.
template <class T, int TileItems>
struct block_merge_sort_view {
  int* boundaries;
  padded_items<T, TileItems>& tile;
};

/// A step of a sort that exists once for all who use it.
struct tile_step {
  int count;        // of the items of the tile
  int a_count;      // of the first of two runs to be merged, or to_sort
  bool is_in_tile;  // if sorted; else the elements are in an array

  static constexpr int to_sort = -1;
};

/// A block sorts a tile in shared memory: runs sorted in registers by a warp, then merged in pairs
/// by networks. Where it makes the FewestComparisons, as it must where equivalent elements keep
/// their order, runs are sorted by a thread, and merged one element after the other. Any count up
/// to items_per_tile; padding is compared only where padding_key is known; the tile stays a
/// permutation whatever the comparator answers. The tile has room for TileItems items, and for a
/// chunk of ItemsPerThread after them; no more than items_per_tile can be sorted. With any_threads
/// as ThreadsPerBlock the launch says how many there are, and so how many items a tile has.
template <class T, int ThreadsPerBlock, int ItemsPerThread, bool Stable, int ChunksPerThread = 1,
          int TileItems = ChunksPerThread* ThreadsPerBlock* ItemsPerThread,
          bool FewestComparisons = Stable>
struct block_merge_sort {
  static constexpr int items_per_tile = ChunksPerThread * ThreadsPerBlock * ItemsPerThread;
  static constexpr int items_per_merge = ThreadsPerBlock * ItemsPerThread;
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_run =
      FewestComparisons ? ItemsPerThread : tile::warp_size * ItemsPerThread;
  using items = padded_items<T, TileItems>;

  /// The sort of other elements.
  template <class U>
  using of = block_merge_sort<U, ThreadsPerBlock, ItemsPerThread, Stable, ChunksPerThread,
                              TileItems, FewestComparisons>;

  /// The sort for comparisons that are expensive.
  using fewest_comparisons = block_merge_sort<T, ThreadsPerBlock, ItemsPerThread, Stable,
                                              ChunksPerThread, TileItems, true>;

  using storage =
      std::conditional_t<ThreadsPerBlock == any_threads, block_merge_sort_view<T, TileItems>,
                         block_merge_sort_storage<T, ChunksPerThread * ThreadsPerBlock, TileItems>>;

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

  /// Sorts as the above do, or merges as merge_two does: one copy of the code for both.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void run(storage& shared, const Array& array, const tile_step& step,
                                 Compare& compare) {
    const int count = step.count, b_count = count - step.a_count;
    const bool sorts = step.a_count == tile_step::to_sort;
    if (sorts) {
      sort_runs(shared.tile, count, compare,
                in_either<Array>{{shared.tile}, {shared.tile, array}, step.is_in_tile});
      __syncthreads();
      if (count <= items_per_run) return;
    }
    int length = sorts ? items_per_run : count;
#pragma unroll 1
    do {
      const auto chunk_at = [&](int first) {
        return sorts ? chunk_of(first, ~(2 * length - 1), length, length, count)
                     : chunk_of(first, 0, step.a_count, b_count, count);
      };
      merge(shared, count, sorts && length == merged_at_once(), compare, chunk_at);
      length *= 2;
    } while (length < count);
  }

  /// Merges the runs [0, a_count) and [a_count, a_count + b_count) of the tile, items_per_merge
  /// together at most, under the rules of sort.
  template <class Compare>
  static GPUSORT_DEVICE void merge_two(storage& shared, int a_count, int b_count,
                                       Compare& compare) {
    const int total = a_count + b_count;
    merge(shared, total, false, compare, [&](int first) {
      return merge_chunk{0, a_count, b_count, min_of(first, total),
                         min_of(first + ItemsPerThread, total)};
    });
  }

 private:
  static_assert((ItemsPerThread & (ItemsPerThread - 1)) == 0, "chunks are found by masks");
  static_assert(FewestComparisons || !Stable);
  static_assert(ChunksPerThread == 1 || (ChunksPerThread == 2 && !Stable &&
                                         (ThreadsPerBlock & (ThreadsPerBlock - 1)) == 0),
                "only the last pair of runs is in both halves of a tile");
  static_assert(ChunksPerThread == 1 ||
                    (TileItems >= items_per_tile && ItemsPerThread <= items::max_read_ahead),
                "after a tile there is room for a chunk");

  static GPUSORT_DEVICE int threads() {
    if constexpr (ThreadsPerBlock == any_threads) {
      return static_cast<int>(blockDim.x);
    } else {
      return ThreadsPerBlock;
    }
  }
  static GPUSORT_DEVICE int merged_at_once() { return threads() * ItemsPerThread; }

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
    // No local array here: with a comparator that uses run-time member pointers nvcc 13.0 placed it
    // over live local memory of the calling kernel.
    GPUSORT_DEVICE void arrange(int first, int count) const {
      const std::uint64_t mine = first + lane_id();
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        const int slot = i * warp_size + lane_id();
        if (slot < count) tile[first + slot] = array.load(mine + i * warp_size);
      }
      __syncwarp();
    }
  };
  template <class Array>
  struct in_either {
    in_tile in_place;
    in_array<Array> elsewhere;
    bool is_in_tile;
    GPUSORT_DEVICE void take(int first, T (&x)[ItemsPerThread]) const {
      if (is_in_tile) {
        in_place.take(first, x);
      } else {
        elsewhere.take(first, x);
      }
    }
    GPUSORT_DEVICE void arrange(int first, int count) const {
      if (!is_in_tile) elsewhere.arrange(first, count);
    }
  };

  template <class Compare, class Source>
  static GPUSORT_DEVICE void sort_runs(items& tile, int count, Compare& compare,
                                       const Source& source) {
    constexpr int items_per_warp = warp_size * ItemsPerThread;
#pragma unroll 1
    for (int first = warp_id() * items_per_warp; first < count; first += merged_at_once()) {
      // Where all may be compared there is no second copy of the code for full warps.
      if (!padding_key<T, Compare>::is_known && first + items_per_warp <= count) {
        sort_run<true>(tile, items_per_warp, first, compare, source);
      } else {
        sort_run<false>(tile, min_of(items_per_warp, count - first), first, compare, source);
      }
    }
  }

  /// Sorts the `count` items of a warp from `warp_first` on; one run of them, or one for each
  /// thread.
  template <bool IsFull, class Compare, class Source>
  static GPUSORT_DEVICE void sort_run(items& tile, int count, int warp_first, Compare& compare,
                                      const Source& source) {
    using last = padding_key<T, Compare>;
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
      thread_network_sort_stable<exists, ItemsPerThread>(x, count - first, compare);
    } else if constexpr (FewestComparisons) {
      thread_network_sort<exists>(x, count - first, compare);
    } else {
      warp_bitonic_sort<exists, ItemsPerThread>(x, count, compare);
    }
    write_chunk<IsFull>(tile, warp_first + first, count - first, x);
  }

  template <class Compare>
  static GPUSORT_DEVICE void merge_runs(storage& shared, int count, Compare& compare) {
    __syncthreads();
    for (int run = items_per_run; run < count; run *= 2) {
      const auto chunk_at = [&](int first) {
        return chunk_of(first, ~(2 * run - 1), run, run, count);
      };
      merge(shared, count, run == merged_at_once(), compare, chunk_at);
    }
  }

  /// Merges pairs of runs of a tile of `count` items, of which chunk_at(first) is the chunk of a
  /// thread that has the items from `first` on. A wide pair is alone, and its run a has
  /// items_per_merge items. Each boundary between chunks is found once, published, and read by both
  /// neighbours. When a comparator lies and some boundary is not monotone, runs stay as they are.
  /// Ends with a barrier.
  template <class Compare, class ChunkAt>
  static GPUSORT_DEVICE void merge(storage& shared, int count, bool is_wide_pair, Compare& compare,
                                   ChunkAt chunk_at) {
    const int thread = static_cast<int>(threadIdx.x);
    const int rounds = ChunksPerThread > 1 ? ceil_div(count, merged_at_once()) : 1;
    const bool is_wide = ChunksPerThread > 1 && is_wide_pair;
    const auto chunk_in = [&](int round) {
      return chunk_at(round * merged_at_once() + thread * ItemsPerThread);
    };
    const auto ranges_of = [&](const merge_chunk& chunk, int round) {
      const int* const found = shared.boundaries + round * threads() + thread;
      return chunk_ranges(chunk, found[0], found[1]);
    };
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      shared.boundaries[round * threads() + thread] =
          find_boundary(shared.tile, chunk_in(round), compare);
    }
    __syncthreads();
    bool exist = !is_wide || ranges_of(chunk_in(0), 0).exist();
#pragma unroll 1
    for (int round = rounds - 1; round >= 0; --round) {
      const merge_chunk chunk = chunk_in(round);
      const chunk_ranges ranges = ranges_of(chunk, round);
      // A run with nothing to be merged with stays where it is.
      const int items = chunk.b_count == 0 ? 0 : chunk.count();
      T merged[ItemsPerThread];
      if (items > 0) merge_ranges(shared.tile, ranges, merged, compare);
      exist = exist && ranges.exist();
      if (!__syncthreads_and(exist)) return;
      int first = chunk.begin + chunk.diagonal;
      if (is_wide && round > 0) first = slot_of_upper(shared, first);
      if (is_wide && round == 0) put_back_upper(shared, count);
      if (items > 0) write_chunk<false>(shared.tile, first, items, merged);
    }
    __syncthreads();
  }

  template <class Compare>
  static GPUSORT_DEVICE void merge_ranges(items& tile, const chunk_ranges& ranges,
                                          T (&merged)[ItemsPerThread], Compare& compare) {
    if constexpr (FewestComparisons) {
      merge_serially(tile, ranges.a, ranges.a_end, ranges.b, ranges.b_end, merged, compare);
    } else {
      merge_by_network<false>(tile, ranges.a, ranges.a_end, ranges.b, ranges.b_end, merged,
                              compare);
    }
  }

  template <bool IsFull>
  static GPUSORT_DEVICE void write_chunk(items& tile, int first, int count,
                                         const T (&x)[ItemsPerThread]) {
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if (IsFull || i < count) tile.template in_chunk<ItemsPerThread>(first, i) = x[i];
    }
  }

  // The upper part of the merged order of a pair of runs that is wider than items_per_merge is
  // written first. What the lower part is merged from stays where it is until then, so chunks that
  // would replace it go to where run a has been read, or after the tile.

  /// Returns where the chunk of the upper part that belongs at `first` is meanwhile.
  static GPUSORT_DEVICE int slot_of_upper(const storage& shared, int first) {
    const int a_left = shared.boundaries[threads()];  // of run a, for the lower part
    if (first >= 2 * merged_at_once() - a_left) return first;
    const int slot = round_up(a_left, ItemsPerThread) + first - merged_at_once();
    return slot < merged_at_once() ? slot : ChunksPerThread * merged_at_once();
  }

  /// Puts the upper part where it belongs; ends with a barrier.
  static GPUSORT_DEVICE void put_back_upper(storage& shared, int count) {
    const int first = merged_at_once() + static_cast<int>(threadIdx.x) * ItemsPerThread;
    const int slot = slot_of_upper(shared, first);
    if (slot != first) {
#pragma unroll 1
      for (int i = 0; i < min_of(ItemsPerThread, count - first); ++i) {
        shared.tile[first + i] = shared.tile[slot + i];
      }
    }
    __syncthreads();
  }

  /// Returns the chunk that begins at item `first` of the tile, where `first & mask` begins a pair
  /// of runs of up to a_most and b_most items.
  static GPUSORT_DEVICE merge_chunk chunk_of(int first, int mask, int a_most, int b_most,
                                             int count) {
    const int begin = min_of(first & mask, count);
    merge_chunk chunk;
    chunk.begin = begin;
    chunk.a_count = min_of(a_most, count - begin);
    chunk.b_count = min_of(b_most, count - begin - chunk.a_count);
    chunk.diagonal = min_of(first - begin, chunk.a_count + chunk.b_count);
    chunk.next_diagonal = min_of(chunk.diagonal + ItemsPerThread, chunk.a_count + chunk.b_count);
    return chunk;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

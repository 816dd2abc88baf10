// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/merge_path.hpp>
#include <gpusort/detail/tile/warp_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block sorts a tile in shared memory: runs sorted in registers (by a warp, or by a thread where
/// equivalent elements must keep their order), then merged in pairs. Any count up to items_per_tile;
/// padding is never compared; the tile stays a permutation whatever the comparator answers.
template <class T, int ThreadsPerBlock, int ItemsPerThread, bool Stable>
struct block_sort {
  static constexpr int items_per_tile = ThreadsPerBlock * ItemsPerThread;
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_run = Stable ? ItemsPerThread : tile::warp_size * ItemsPerThread;
  using items = padded_items<T, items_per_tile>;

  struct storage {
    items tile;
    int boundaries[ThreadsPerBlock + 1];
  };

  /// Sorts storage.tile[0, count). All threads call it, after a barrier that made the items visible;
  /// it ends with a barrier.
  template <class Compare>
  static GPUSORT_DEVICE void sort(storage& shared, int count, Compare& compare) {
    sort_runs(shared.tile, count, compare);
    __syncthreads();
    for (int run = items_per_run; run < count; run *= 2) {
      merge_chunks<ItemsPerThread>(shared.tile, shared.boundaries, chunk_of(run, count), compare);
    }
  }

  /// Merges the runs [0, a_count) and [a_count, a_count + b_count) of the tile. Stable. The same
  /// rules.
  template <class Compare>
  static GPUSORT_DEVICE void merge_two(storage& shared, int a_count, int b_count,
                                       Compare& compare) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread;
    const int total = a_count + b_count;
    const merge_chunk chunk{0, a_count, b_count, min_of(first, total),
                            min_of(first + ItemsPerThread, total)};
    merge_chunks<ItemsPerThread>(shared.tile, shared.boundaries, chunk, compare);
  }

 private:
  static_assert((ItemsPerThread & (ItemsPerThread - 1)) == 0, "chunks are found by masks");

  template <class Compare>
  static GPUSORT_DEVICE void sort_runs(items& tile, int count, Compare& compare) {
    const int first = static_cast<int>(threadIdx.x) * ItemsPerThread;
    const int warp_first = warp_id() * warp_size * ItemsPerThread;
    if (warp_first >= count) return;
    T x[ItemsPerThread];
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if (first + i < count) x[i] = tile[first + i];
    }
    if constexpr (Stable) {
      thread_sort_stable<ItemsPerThread>(x, count - first, compare);
    } else {
      warp_sort<ItemsPerThread>(x, count - warp_first, compare);
    }
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      if (first + i < count) tile[first + i] = x[i];
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
    chunk.next_diagonal = min_of(first - begin + ItemsPerThread, chunk.a_count + chunk.b_count);
    return chunk;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

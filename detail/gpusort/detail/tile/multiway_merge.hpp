// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <climits>
#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/tile/async_load.hpp>
#include <gpusort/detail/tile/merge_chunks.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// A block merges up to MaxRuns sorted pieces, one tile together, in shared memory: neighbours in
/// pairs, round after round. Each piece begins at a multiple of ItemsPerThread of the tile, so that
/// a thread's chunk is always of one pair; the gaps take less than ItemsPerThread slots for each
/// piece.
template <class Array, int ThreadsPerBlock, int ItemsPerThread, int MaxRuns>
struct multiway_merge {
  using element = typename Array::value_type;
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int slots = ThreadsPerBlock * ItemsPerThread;
  static constexpr int runs_per_lane = MaxRuns / warp_size;
  static_assert(MaxRuns % warp_size == 0 && MaxRuns <= 255,
                "a lane has several runs, a chunk a byte");

  /// A tile may have up to twice this many elements more or less than items_per_tile. Cuts of 32
  /// runs of u32, 2^28, took 0.11 ms a pass, exact ones 0.15.
  static constexpr int slack = slots / 128;

  /// Returns as many elements as fit whatever the lengths of k pieces.
  static constexpr int items_per_tile(int k) {
    return slots - k * (ItemsPerThread - 1) - 2 * slack;
  }

  struct storage {
    int boundaries[ThreadsPerBlock + 1];
    // For each piece, and for one past the last, which is empty.
    int first_chunk[MaxRuns + 1];
    int first_item[MaxRuns + 1];  // without gaps
    int end[MaxRuns + 1];         // in slots
    unsigned char piece_of_chunk[ThreadsPerBlock];
    raw_storage<Array> pieces[MaxRuns];  // slot s of the tile is loaded from index s of its piece
    element tile[slots + ItemsPerThread];
  };

  /// Merges pieces i < k; piece_at(i), called by one lane of the first warp, is a sorted_run. The
  /// merged elements are the first ones of the tile. Ends with a barrier.
  template <class PieceAt, class Compare>
  static GPUSORT_DEVICE void merge(storage& shared, int k, const PieceAt& piece_at,
                                   Compare& compare) {
    if (warp_id() == 0) lay_out(shared, k, piece_at);
    __syncthreads();
    const int own = piece_of(shared, k, static_cast<int>(threadIdx.x));
    if constexpr (async_load<Array>::is_possible) {
      load_by_rows(shared, k, __shfl_sync(full_warp, own, 0));
    } else {
      shared.piece_of_chunk[threadIdx.x] = static_cast<unsigned char>(own);
      __syncthreads();
      load_by_threads(shared);
    }
    __syncthreads();
    for (int log_run = 0; 1 << log_run < k; ++log_run) {
      merge_run_chunk<ItemsPerThread>(shared.tile, shared.boundaries,
                                      chunk_of(shared, k, own, log_run), compare);
    }
  }

 private:
  /// The piece that a lane's next slot may be of. Slots ascend.
  struct lane_piece {
    Array data;  // to be loaded from relative to the lane's first slot
    int index;
    int end;
    int next_begin;
    int first_slot;

    GPUSORT_DEVICE lane_piece(storage& shared, int k, int p, int slot) : first_slot(slot) {
      go_to(shared, k, p);
    }

    /// Whether the slot is not a gap.
    GPUSORT_DEVICE bool has(storage& shared, int k, int slot) {
      while (slot >= next_begin) go_to(shared, k, index + 1);
      return slot < end;
    }

    GPUSORT_DEVICE void go_to(storage& shared, int k, int p) {
      index = p;
      end = shared.end[p];
      next_begin = p < k ? shared.first_chunk[p + 1] * ItemsPerThread : INT_MAX;
      if (p < k) data = piece(shared, p) + static_cast<std::uint64_t>(first_slot);
    }
  };

  template <class PieceAt>
  static GPUSORT_DEVICE void lay_out(storage& shared, int k, const PieceAt& piece_at) {
    std::uint64_t sizes[runs_per_lane];  // chunks above, items below
    std::uint64_t sum = 0;
    const int first = lane_id() * runs_per_lane;
    sorted_run<Array> pieces[runs_per_lane];
#pragma unroll
    for (int j = 0; j < runs_per_lane; ++j) {
      sizes[j] = 0;
      if (first + j < k) {
        pieces[j] = piece_at(first + j);
        sizes[j] = ceil_div<std::uint64_t>(pieces[j].count, ItemsPerThread) << 32 | pieces[j].count;
      }
      sum += sizes[j];
    }
    std::uint64_t before = warp_prefix(sum) - sum;
#pragma unroll
    for (int j = 0; j < runs_per_lane; ++j) {
      const int i = first + j;
      if (i < k) {
        const int chunk = static_cast<int>(before >> 32);
        shared.first_chunk[i] = chunk;
        shared.first_item[i] = static_cast<int>(before);
        shared.end[i] = chunk * ItemsPerThread + static_cast<int>(pieces[j].count);
        // Wraps around where a piece is nearer to the beginning of its memory than to its slot.
        piece(shared, i) = pieces[j].data + (std::uint64_t{0} - chunk * ItemsPerThread);
      }
      before += sizes[j];
    }
    if (lane_id() == warp_size - 1) {
      shared.first_chunk[k] = static_cast<int>(before >> 32);
      shared.first_item[k] = static_cast<int>(before);
      shared.end[k] = 0;
    }
  }

  static GPUSORT_DEVICE Array& piece(storage& shared, int i) {
    return *reinterpret_cast<Array*>(shared.pieces + i);
  }

  /// Returns the piece of a chunk; k for a chunk past the last piece.
  static GPUSORT_DEVICE int piece_of(const storage& shared, int k, int chunk) {
    int low = 0, high = k;  // first_chunk[low] <= chunk; the last such one is not empty
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (shared.first_chunk[middle] <= chunk) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// Starts, by a warp, to copy the slots of its own chunks, the first of which is of piece p, a
  /// row of lanes after the other: a lane comes to the pieces in turn.
  static GPUSORT_DEVICE void load_by_rows(storage& shared, int k, int p) {
    const int first = warp_id() * warp_size * ItemsPerThread + lane_id();
    element* const to = shared.tile + first;
    lane_piece from(shared, k, p, first);
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      const int row = i * warp_size;
      if (from.has(shared, k, first + row)) async_load<Array>::start(from.data, row, to + row);
    }
    wait_for_loads();
  }

  /// Loads by threads, a batch of loads in flight at a time for each: more take registers that
  /// merging does not.
  static GPUSORT_DEVICE void load_by_threads(storage& shared) {
    constexpr int batch = min_of(ItemsPerThread, sizeof(element) <= 4 ? 16 : 8);
#pragma unroll
    for (int done = 0; done < ItemsPerThread; done += batch) {
      element x[batch];
      bool exists[batch];
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const int slot = static_cast<int>(threadIdx.x) + (done + i) * ThreadsPerBlock;
        const int chunk = static_cast<unsigned>(slot) / ItemsPerThread;
        exists[i] = done + i < ItemsPerThread;
        if (exists[i]) {
          const int p = shared.piece_of_chunk[chunk];
          exists[i] = slot < shared.end[p];
          if (exists[i]) x[i] = piece(shared, p).load(slot);
        }
      }
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        if (exists[i]) shared.tile[threadIdx.x + (done + i) * ThreadsPerBlock] = x[i];
      }
    }
  }

  /// Returns what the thread merges where runs of 2^log_run pieces are merged in pairs.
  static GPUSORT_DEVICE run_chunk chunk_of(const storage& shared, int k, int own, int log_run) {
    const int first = own >> (log_run + 1) << (log_run + 1);
    const int middle = min_of(first + (1 << log_run), k), last = min_of(first + (2 << log_run), k);
    run_chunk chunk;
    chunk.a_begin = shared.first_chunk[first] * ItemsPerThread;
    chunk.a_count = shared.first_item[middle] - shared.first_item[first];
    chunk.b_begin = shared.first_chunk[middle] * ItemsPerThread;
    chunk.b_count = shared.first_item[last] - shared.first_item[middle];
    chunk.diagonal =
        min_of(static_cast<int>(threadIdx.x) * ItemsPerThread - chunk.a_begin, chunk.total());
    chunk.next_diagonal = min_of(chunk.diagonal + ItemsPerThread, chunk.total());
    return chunk;
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

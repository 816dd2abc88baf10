// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <climits>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/merge_path.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Two runs in a tile, run b somewhere after run a, and the chunk of their merged order that a
/// thread writes. The merged order replaces run a and what follows it.
struct run_chunk {
  int a_begin;
  int a_count;
  int b_begin;
  int b_count;
  int diagonal;       // where the chunk begins in the merged order, at most a_count + b_count
  int next_diagonal;  // and where it ends

  GPUSORT_DEVICE int total() const { return a_count + b_count; }
};

/// Writes the first elements of the merged order of [a, a_end) and [b, b_end), a first among
/// equivalent ones. Without meaning, but harmless, where a range ends before it begins. Reads up to
/// ItemsPerThread items after either range, but none after `last`, and compares none of them.
template <int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void merge_in_turn(const T* items, int a, int a_end, int b, int b_end,
                                  T (&merged)[ItemsPerThread], Compare& compare,
                                  int last = INT_MAX) {
  T a_item = items[a], b_item = items[b];
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    const bool take_b = b < b_end && (a >= a_end || compare(b_item, a_item));
    merged[i] = select(take_b, b_item, a_item);
    const int next = (take_b ? b : a) + 1;
    a = take_b ? a : next;
    b = take_b ? next : b;
    if (i + 1 < ItemsPerThread) {
      const T item = items[min_of(next, last)];
      a_item = select(take_b, a_item, item);
      b_item = select(take_b, item, b_item);
    }
  }
}

/// Joins the thread's chunk of run a with run b after it.
template <int ItemsPerThread, class T>
GPUSORT_DEVICE void join_runs(const T* items, const run_chunk& chunk, T (&joined)[ItemsPerThread]) {
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    const int rank = chunk.diagonal + i, in_b = rank - chunk.a_count;
    if (rank < chunk.next_diagonal) {
      joined[i] = items[in_b < 0 ? chunk.a_begin + rank : chunk.b_begin + in_b];
    }
  }
}

/// Merges runs in shared memory, stable; every thread of the block calls it with its own chunk, of
/// ItemsPerThread items but for the last ones of a pair of runs; thread t + 1 has the chunk after
/// thread t's or one of another pair. Each boundary between chunks is found once, published in
/// `boundaries`, and read by both neighbours. When a comparator lies and some boundary is not
/// monotone, the whole block joins its runs without merging them. Ends with a barrier.
///
/// ItemsPerThread is odd, so that neighbouring threads walk through different banks. Search and
/// walk meet in the same banks nevertheless, about three threads of a warp at a time: many items a
/// thread make the searches few. Source: paper 003, section 5.3.4, and merge path.
template <int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void merge_run_chunk(T* items, int* boundaries, const run_chunk& chunk,
                                    Compare& compare) {
  static_assert(ItemsPerThread % 2 == 1);
  const T* const a_items = items + chunk.a_begin;
  const T* const b_items = items + chunk.b_begin;
  const int lowest = chunk.diagonal > chunk.b_count ? chunk.diagonal - chunk.b_count : 0;
  const int found = static_cast<int>(
      merge_path<unsigned>([&](unsigned i) -> const T& { return a_items[i]; },
                           [&](unsigned i) -> const T& { return b_items[i]; }, chunk.diagonal,
                           lowest, min_of(chunk.diagonal, chunk.a_count), compare));
  boundaries[threadIdx.x] = found;
  __syncthreads();
  const bool is_last = chunk.next_diagonal == chunk.total();
  const int next = is_last ? chunk.a_count : boundaries[threadIdx.x + 1];
  const int a = chunk.a_begin + found, a_end = chunk.a_begin + next;
  const int b = chunk.b_begin + chunk.diagonal - found;
  const int b_end = chunk.b_begin + chunk.next_diagonal - next;

  T merged[ItemsPerThread];
  merge_in_turn(items, a, a_end, b, b_end, merged, compare);
  if (!__syncthreads_and(a <= a_end && b <= b_end)) {
    join_runs(items, chunk, merged);
    __syncthreads();
  }
  T* const out = items + chunk.a_begin + chunk.diagonal;
  const int count = chunk.next_diagonal - chunk.diagonal;
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    if (i < count) out[i] = merged[i];
  }
  __syncthreads();
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

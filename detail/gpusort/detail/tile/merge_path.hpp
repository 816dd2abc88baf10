// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// How many of the first `diagonal` elements of the merged order come from run a, looked for in
/// [lowest, highest]; equivalent elements come from a first. `a(i)` and `b(i)` read the runs; with
/// lowest >= diagonal - b_count and highest <= min(diagonal, a_count) no read is out of range, and
/// the answer is in the interval, whatever the comparator says.
template <class Index, class A, class B, class Compare>
GPUSORT_DEVICE Index merge_path(A a, B b, Index diagonal, Index lowest, Index highest,
                                Compare& compare) {
  while (lowest < highest) {
    const Index middle = lowest + (highest - lowest) / 2;
    if (compare(b(diagonal - 1 - middle), a(middle))) {
      highest = middle;
    } else {
      lowest = middle + 1;
    }
  }
  return lowest;
}

/// The tile's items in shared memory, with one unused element after every 128 bytes: threads that
/// walk neighbouring chunks of a power of two of items then meet in different banks.
template <class T, int ItemsPerTile>
struct padded_items {
  static constexpr int stretch = sizeof(T) >= 128 ? 1 : 128 / static_cast<int>(sizeof(T));
  static constexpr int slots = ItemsPerTile + ItemsPerTile / stretch;

  T data[slots];

  GPUSORT_DEVICE T& operator[](int i) { return data[i + i / stretch]; }
};

/// Two neighbouring runs in a tile and the chunk of their merged order that a thread writes.
struct merge_chunk {
  int begin;     // where run a begins in the tile; run b follows it, and the merged order replaces
                 // both
  int a_count;   // elements of run a
  int b_count;   // elements of run b
  int diagonal;  // first element of the merged order that is this thread's, at most a_count +
                 // b_count
  int next_diagonal;
};

/// Merges neighbouring runs in shared memory; every thread of the block calls it with its own
/// chunk, thread t + 1 having the chunk after thread t's or one of another pair of runs. Each
/// boundary between chunks is found once, published in `boundaries`, and read by both neighbours.
/// When a comparator lies and some boundary is not monotone, the whole block leaves its runs as
/// they are. Stable. Ends with a barrier. Source: paper 003, section 5.3.4, and merge path.
template <int ItemsPerThread, class T, int ItemsPerTile, class Compare>
GPUSORT_DEVICE void merge_chunks(padded_items<T, ItemsPerTile>& items, int* boundaries,
                                 const merge_chunk& chunk, Compare& compare) {
  const int a_begin = chunk.begin, b_begin = chunk.begin + chunk.a_count;
  const int total = chunk.a_count + chunk.b_count;
  const int found =
      merge_path<int>([&](int i) -> const T& { return items[a_begin + i]; },
                      [&](int i) -> const T& { return items[b_begin + i]; }, chunk.diagonal,
                      chunk.diagonal > chunk.b_count ? chunk.diagonal - chunk.b_count : 0,
                      min_of(chunk.diagonal, chunk.a_count), compare);
  boundaries[threadIdx.x] = found;
  __syncthreads();
  const bool is_last = chunk.next_diagonal == total;
  const int next = is_last ? chunk.a_count : boundaries[threadIdx.x + 1];
  int b = chunk.diagonal - found;
  const int b_end = chunk.next_diagonal - next;
  if (__syncthreads_or(found > next || b > b_end)) return;

  T merged[ItemsPerThread];
  int a = found;
  const int count = chunk.next_diagonal - chunk.diagonal;
  T a_item, b_item;
  if (a < next) a_item = items[a_begin + a];
  if (b < b_end) b_item = items[b_begin + b];
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    if (i < count) {
      const bool take_b = a == next || (b < b_end && compare(b_item, a_item));
      merged[i] = take_b ? b_item : a_item;
      if (take_b) {
        if (++b < b_end) b_item = items[b_begin + b];
      } else {
        if (++a < next) a_item = items[a_begin + a];
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < ItemsPerThread; ++i) {
    if (i < count) items[chunk.begin + chunk.diagonal + i] = merged[i];
  }
  __syncthreads();
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Two sorted pieces of an array, one tile together: [a, a + a_count) and [b, b
/// + b_count).
struct merge_pieces {
  std::uint64_t a;
  std::uint64_t b;
  int a_count;
  int b_count;
};

/// Fills the first `count` items of a tile from load(i). A thread has all its
/// loads in flight before it stores the first of them.
template <class Sorter, class Load>
GPUSORT_DEVICE void stage_tile(typename Sorter::storage& shared, int count, Load load) {
  constexpr int threads = Sorter::threads_per_block, items = Sorter::items_per_tile / threads;
  const int first = static_cast<int>(threadIdx.x);
  decltype(load(0)) x[items];
  if (count == Sorter::items_per_tile) {
#pragma unroll
    for (int i = 0; i < items; ++i) x[i] = load(first + i * threads);
#pragma unroll
    for (int i = 0; i < items; ++i) shared.tile[first + i * threads] = x[i];
  } else {
#pragma unroll 1
    for (int i = first; i < count; i += threads) shared.tile[i] = load(i);
  }
}

/// Stores the first `count` items of a tile to array[first, first + count).
template <class Sorter, class Array>
GPUSORT_DEVICE void unstage_tile(typename Sorter::storage& shared, int count, const Array& array,
                                 std::uint64_t first) {
  constexpr int threads = Sorter::threads_per_block, items = Sorter::items_per_tile / threads;
  const Array out = array + first;
  if (count == Sorter::items_per_tile) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      out.store(threadIdx.x + i * threads, shared.tile[threadIdx.x + i * threads]);
    }
  } else {
#pragma unroll 1
    for (int i = threadIdx.x; i < count; i += threads) out.store(i, shared.tile[i]);
  }
}

/// A block merges two pieces of `from`, at most a tile together, into `to` from
/// `first` on. Stable: equivalent elements come from piece a first. The output
/// holds the elements of the two pieces whatever the comparator answers. Pieces
/// of which one is empty are copied.
template <class Sorter, class From, class To, class Compare>
GPUSORT_DEVICE void block_merge(typename Sorter::storage& shared, const From& from,
                                const merge_pieces& pieces, const To& to, std::uint64_t first,
                                Compare& compare) {
  const int count = pieces.a_count + pieces.b_count;
  const From a = from + pieces.a, b = from + (pieces.b - pieces.a_count);
  stage_tile<Sorter>(shared, count,
                     [&](int i) { return i < pieces.a_count ? a.load(i) : b.load(i); });
  __syncthreads();
  if (pieces.a_count > 0 && pieces.b_count > 0) {
    Sorter::merge_two(shared, pieces.a_count, pieces.b_count, compare);
  }
  unstage_tile<Sorter>(shared, count, to, first);
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

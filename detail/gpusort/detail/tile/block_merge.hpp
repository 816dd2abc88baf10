// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Two sorted pieces of an array, one tile together: [a, a + a_count) and [b, b + b_count).
struct merge_pieces {
  std::uint64_t a;
  std::uint64_t b;
  int a_count;
  int b_count;
};

/// Fills the first `count` items of a tile from load(i). A thread has all its loads in flight
/// before it stores the first of them.
template <class Sorter, class Load>
GPUSORT_DEVICE void stage_tile(typename Sorter::storage& shared, int count, Load load) {
  constexpr int items_per_thread = Sorter::items_per_tile / Sorter::threads_per_block;
  decltype(load(0)) x[items_per_thread];
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int at = i * Sorter::threads_per_block + static_cast<int>(threadIdx.x);
    if (at < count) x[i] = load(at);
  }
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int at = i * Sorter::threads_per_block + static_cast<int>(threadIdx.x);
    if (at < count) shared.tile[at] = x[i];
  }
}

/// Stores the first `count` items of a tile to array[first, first + count).
template <class Sorter, class Array>
GPUSORT_DEVICE void unstage_tile(typename Sorter::storage& shared, int count, const Array& array,
                                 std::uint64_t first) {
  constexpr int items_per_thread = Sorter::items_per_tile / Sorter::threads_per_block;
#pragma unroll
  for (int i = 0; i < items_per_thread; ++i) {
    const int at = i * Sorter::threads_per_block + static_cast<int>(threadIdx.x);
    if (at < count) array.store(first + at, shared.tile[at]);
  }
}

/// A block merges two pieces of `from`, at most a tile together, into `to` from `first` on. Stable:
/// equivalent elements come from piece a first. The output holds the elements of the two pieces
/// whatever the comparator answers. Pieces of which one is empty are copied.
template <class Sorter, class From, class To, class Compare>
GPUSORT_DEVICE void block_merge(typename Sorter::storage& shared, const From& from,
                                const merge_pieces& pieces, const To& to, std::uint64_t first,
                                Compare& compare) {
  const int count = pieces.a_count + pieces.b_count;
  const std::uint64_t b_origin = pieces.b - pieces.a_count;
  stage_tile<Sorter>(shared, count, [&](int i) {
    return from.load((i < pieces.a_count ? pieces.a : b_origin) + i);
  });
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/chunk_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

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

/// A block merges the first a_count elements of a and b_count of b, at most a tile together, to the
/// beginning of `to`. Stable. The output holds the elements of both whatever the comparator
/// answers. Where one is empty the other is copied.
template <class Merger, class A, class B, class To, class Compare>
GPUSORT_DEVICE void block_merge(typename Merger::storage& shared, const A& a, int a_count,
                                const B& b, int b_count, const To& to, Compare& compare) {
  const int count = a_count + b_count;
  stage_tile<Merger>(shared, count,
                     [&](int i) { return i < a_count ? a.load(i) : b.load(i - a_count); });
  __syncthreads();
  if (a_count > 0 && b_count > 0) Merger::merge_two(shared, a_count, b_count, compare);
  unstage_tile<Merger>(shared, count, to, 0);
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

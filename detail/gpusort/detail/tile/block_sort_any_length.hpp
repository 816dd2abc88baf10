// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/lane_search.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Returns how many items a sorter merges at once.
template <class Sorter>
GPUSORT_DEVICE int items_per_merge() {
  if constexpr (Sorter::threads_per_block == any_threads) {
    return static_cast<int>(blockDim.x) * Sorter::items_per_thread;
  } else {
    return Sorter::items_per_merge;
  }
}

/// Returns how many items a sorter has in a tile.
template <class Sorter>
GPUSORT_DEVICE int items_per_tile() {
  if constexpr (Sorter::threads_per_block == any_threads) {
    return Sorter::chunks_per_thread * items_per_merge<Sorter>();
  } else {
    return Sorter::items_per_tile;
  }
}

/// A part of the merged order of two runs: from element `begin` to `end` of it, of which those of
/// run a are [a_begin, a_end).
struct merge_span {
  std::uint64_t begin, end;
  std::uint64_t a_begin, a_end;
};

/// Merges a part of the sorted runs a = [begin, begin + a_count) and b, which follows it,
/// items_per_merge at a time. The boundary between two of these is searched within what the one
/// before left over, so boundaries are monotone whatever the comparator answers.
template <class Sorter, class Array, class Compare>
GPUSORT_DEVICE void merge_run_pair(typename Sorter::storage& shared, const Array& from,
                                   const Array& to, std::uint64_t begin, std::uint64_t a_count,
                                   const merge_span& span, Compare& compare) {
  __shared__ std::uint64_t boundary;
  const Array run_a = from + begin, run_b = from + (begin + a_count);
  const std::uint64_t b_end = span.end - span.a_end;
  const auto at_once = static_cast<std::uint64_t>(items_per_merge<Sorter>());
  std::uint64_t a = span.a_begin;
  for (std::uint64_t diagonal = span.begin; diagonal < span.end; diagonal += at_once) {
    const std::uint64_t next = min_of(diagonal + at_once, span.end);
    const std::uint64_t b = diagonal - a;
    if (warp_id() == 0) {
      const std::uint64_t lowest = next > b_end && next - b_end > a ? next - b_end : a;
      const std::uint64_t highest = min_of(a + (next - diagonal), span.a_end);
      const std::uint64_t found = lane_search<warp_size>(
          lowest, highest, lowest + (highest - lowest) / 2,
          (highest - lowest) / (2 * warp_size) + 1,
          [&](std::uint64_t i) { return !compare(run_b.load(next - 1 - i), run_a.load(i)); });
      if (lane_id() == 0) boundary = found;
    }
    __syncthreads();
    const int a_items = static_cast<int>(boundary - a);
    const int b_items = static_cast<int>(next - diagonal) - a_items;
    for (int i = threadIdx.x; i < a_items; i += blockDim.x) shared.tile[i] = run_a.load(a + i);
    for (int i = threadIdx.x; i < b_items; i += blockDim.x) {
      shared.tile[a_items + i] = run_b.load(b + i);
    }
    __syncthreads();
    Sorter::merge_two(shared, a_items, b_items, compare);
    store_tile<Sorter::threads_per_block>(to, begin + diagonal, a_items + b_items, shared.tile);
    a = boundary;
    __syncthreads();
  }
}

/// Sorts the count elements of `from` into `to` by one block; any count. Up to one tile this is a
/// tile sort; beyond it, sorted tiles are merged in pairs between `to` and `spare`, which may be
/// `from` itself. `from` may be `to`. Bounded by O(count log count) whatever the comparator
/// answers.
template <class Sorter, class Array, class Compare>
GPUSORT_DEVICE void block_sort_any_length(typename Sorter::storage& shared, const Array& from,
                                          const Array& to, const Array& spare, std::uint64_t count,
                                          Compare& compare) {
  const auto tile_items = static_cast<std::uint64_t>(items_per_tile<Sorter>());
  const int passes = count <= tile_items ? 0 : ceil_log2(ceil_div(count, tile_items));
  Array source = passes % 2 ? spare : to;
  Array target = passes % 2 ? to : spare;
  for (std::uint64_t first = 0; first < count; first += tile_items) {
    const int items = static_cast<int>(min_of(tile_items, count - first));
    Sorter::sort(shared, from + first, items, compare);
    store_tile<Sorter::threads_per_block>(source, first, items, shared.tile);
    __syncthreads();
  }
  for (int pass = 0; pass < passes; ++pass) {
    const std::uint64_t run = tile_items << pass;
    for (std::uint64_t begin = 0; begin < count; begin += 2 * run) {
      const std::uint64_t a_count = min_of(run, count - begin);
      const std::uint64_t b_count = min_of(run, count - begin - a_count);
      merge_run_pair<Sorter>(shared, source, target, begin, a_count,
                             {0, a_count + b_count, 0, a_count}, compare);
    }
    const Array sorted = target;
    target = source;
    source = sorted;
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/bucket_table.hpp>
#include <gpusort/detail/tile/load_items.hpp>
#include <gpusort/detail/tile/splitter_tree.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Returns the shared memory of a search tree with k buckets.
template <class T>
GPUSORT_HOST_DEVICE constexpr std::size_t tree_bytes(std::size_t k) {
  return round_up<std::size_t>(k * sizeof(T) + k + 1, 16);
}

/// Returns the search tree of a segment, in shared memory. Block-wide; ends with a barrier.
template <class T>
GPUSORT_DEVICE tile::splitter_tree<T> load_tree(unsigned char* raw, const bucket_table<T>& level,
                                                std::uint32_t segment) {
  const int k = 1 << level.log_k;
  const global_size table = global_size{segment} * k;
  T* nodes = reinterpret_cast<T*>(raw);
  auto* equal = reinterpret_cast<std::uint8_t*>(nodes + k);
  const int levels = level.tree_levels[segment];
  bool has_equal = false;
  for (int j = threadIdx.x; j < 1 << levels; j += blockDim.x) {
    if (j > 0) nodes[j] = level.trees[table + j];
    equal[j] = level.equal[table + j];
    has_equal |= equal[j] != not_equal;
  }
  if (threadIdx.x == 0) equal[1 << levels] = not_equal;
  has_equal = __syncthreads_or(has_equal);
  return {nodes, equal, levels, has_equal};
}

/// The buckets of a segment whose elements are numbers, by its map.
template <class In, bool OfValues>
struct mapped_buckets {
  tile::linear_map map;

  /// Classifies as splitter_tree::classify.
  template <class T, int Items, class Exists, class Compare>
  GPUSORT_DEVICE void classify(const T (&x)[Items], int (&bucket)[Items], Exists exists,
                               Compare&) const {
    using number = tile::order_preserving_bits<T, Compare>;
    using value = tile::linear_value<In, Compare>;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (!exists(i)) continue;
      if constexpr (OfValues) {
        bucket[i] = map.bucket_of(value::of(number::of(x[i])));
      } else {
        bucket[i] = map.bucket_of(number::of(x[i]));
      }
    }
  }
};

/// Calls body(finder) with what finds the buckets of a segment: its map, or its tree, which takes
/// tree_bytes of the shared memory at `raw`. The body, a loop over tiles, is compiled for each by
/// itself: together they would need more registers than there are. Block-wide.
template <class In, class Compare, class T, class Body>
GPUSORT_DEVICE void with_finder(unsigned char* raw, const bucket_table<T>& level,
                                std::uint32_t segment, const Body& body) {
  if constexpr (tile::order_preserving_bits<T, Compare>::is_known) {
    const tile::linear_map map = level.maps[segment];
    if constexpr (!tile::linear_value<In, Compare>::is_number) {
      if (map.is_used() && map.of_values) return body(mapped_buckets<In, true>{map});
    }
    if (map.is_used()) return body(mapped_buckets<In, false>{map});
  }
  body(load_tree(raw, level, segment));
}

/// The elements of one tile that a thread holds: item i is number i * threads + thread of the tile.
/// In a full tile all exist, which is known when compiling and saves a test for each step.
struct full_tile {
  GPUSORT_DEVICE constexpr bool operator()(int) const { return true; }
};
template <class Tuning>
struct partial_tile {
  int count;
  GPUSORT_DEVICE bool operator()(int i) const {
    return i * Tuning::threads_per_block + static_cast<int>(threadIdx.x) < count;
  }
};

/// Calls body(first, count, exists) for each tile of a chunk.
template <class Tuning, class Body>
GPUSORT_DEVICE void for_each_tile(const chunk& mine, Body body) {
  global_size first = mine.first;
  for (; first + Tuning::items_per_tile <= mine.last; first += Tuning::items_per_tile) {
    body(first, Tuning::items_per_tile, full_tile{});
  }
  const int count = static_cast<int>(mine.last - first);
  if (count > 0) body(first, count, partial_tile<Tuning>{count});
}

/// Loads a tile's elements and finds their buckets.
template <class Tuning, class In, class T, class Exists, class Finder, class Compare>
GPUSORT_DEVICE void classify_tile(const In& in, global_size first, const Exists& exists,
                                  const Finder& finder, T (&x)[Tuning::items_per_thread],
                                  int (&bucket)[Tuning::items_per_thread], Compare& compare) {
  tile::load_items(
      in, x, [&](int i) { return first + i * Tuning::threads_per_block + threadIdx.x; }, exists);
  finder.classify(x, bucket, exists, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

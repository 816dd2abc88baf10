// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tile/swap_elements.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// Merging neighbouring sorted runs where they are. A segment is two of them, a and b. It is halved
// by a cut of merge path: if `left` elements of a are in the first half of the merged order, the
// rest of a is exchanged with as many of b as that half lacks, and each half is a segment again,
// of known begin and size. Whatever a cut is, halving only swaps.

/// Sorted runs [begin, begin + a_count) and [begin + a_count, end).
struct segment {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t a_count;
};

struct index_pair {
  std::uint64_t first;
  std::uint64_t second;
};

/// Makes the elements [begin, middle) follow those of [middle, end), both in their order: each of
/// the parts is reversed, then, after a barrier, all of it. The swaps of either step are disjoint.
struct rotation {
  std::uint64_t begin;
  std::uint64_t middle;
  std::uint64_t end;

  /// Returns the rotation that halves a segment of which `left` and `right` elements of run a go to
  /// the halves, the first of `half` elements. Either step makes at most `half` swaps.
  static GPUSORT_DEVICE rotation halving(std::uint64_t begin, std::uint64_t half,
                                         std::uint64_t left, std::uint64_t right) {
    const rotation all{begin + left, begin + left + right, begin + half + right};
    return all.begin < all.middle && all.middle < all.end ? all : rotation{0, 0, 0};
  }

  template <bool Parts>
  GPUSORT_DEVICE std::uint64_t swaps() const {
    return Parts ? (middle - begin) / 2 + (end - middle) / 2 : (end - begin) / 2;
  }

  template <bool Parts>
  GPUSORT_DEVICE index_pair pair(std::uint64_t i) const {
    const std::uint64_t of_first_part = (middle - begin) / 2;
    if (!Parts) return {begin + i, end - 1 - i};
    if (i < of_first_part) return {begin + i, middle - 1 - i};
    return {middle + (i - of_first_part), end - 1 - (i - of_first_part)};
  }
};

/// Makes swaps [first, first + count) of one step of a rotation by one block, in one column.
/// Threads take pieces of elements, so that neighbours read neighbouring pieces; each has several
/// loads in flight.
template <bool Parts, class Piece, class T>
GPUSORT_DEVICE void rotate_pieces(T* column, const rotation& rotated, std::uint64_t first,
                                  std::uint64_t count) {
  constexpr unsigned batch = 4;
  constexpr std::uint64_t pieces = sizeof(T) / sizeof(Piece);
  const std::uint64_t total = count * pieces;
  Piece* const all = reinterpret_cast<Piece*>(column);
  for (std::uint64_t begin = threadIdx.x; begin < total; begin += batch * blockDim.x) {
    Piece *at[batch], *with[batch], x[batch], y[batch];
#pragma unroll
    for (unsigned i = 0; i < batch; ++i) {
      const std::uint64_t piece = begin + i * blockDim.x;
      if (piece >= total) continue;
      const index_pair pair = rotated.pair<Parts>(first + piece / pieces);
      at[i] = all + (pair.first * pieces + piece % pieces);
      with[i] = all + (pair.second * pieces + piece % pieces);
      x[i] = *at[i];
      y[i] = *with[i];
    }
#pragma unroll
    for (unsigned i = 0; i < batch; ++i) {
      if (begin + i * blockDim.x >= total) continue;
      *at[i] = y[i];
      *with[i] = x[i];
    }
  }
}

/// Rotates in the largest pieces that the elements' addresses allow.
template <bool Parts, class T>
GPUSORT_DEVICE void rotate_column(T* column, const rotation& rotated, std::uint64_t first,
                                  std::uint64_t count) {
  constexpr std::size_t alignment = min_of(alignof(T), sizeof(std::uint64_t));
  const auto address = reinterpret_cast<std::uintptr_t>(column);
  if constexpr (sizeof(T) % sizeof(uint4) == 0) {
    if (address % sizeof(uint4) == 0) {
      return rotate_pieces<Parts, uint4>(column, rotated, first, count);
    }
  }
  if constexpr (alignment < 4 && sizeof(T) % 4 == 0) {
    if (address % 4 == 0) {
      return rotate_pieces<Parts, std::uint32_t>(column, rotated, first, count);
    }
  }
  rotate_pieces<Parts, unsigned_of_size_t<alignment>>(column, rotated, first, count);
}

template <bool Parts, class Array>
GPUSORT_DEVICE void rotate(const Array& array, const rotation& rotated, std::uint64_t first,
                           std::uint64_t count) {
  for_each_column(array,
                  [&](auto* column) { rotate_column<Parts>(column, rotated, first, count); });
}

/// Elements of which a segment may fit a tile.
template <class T, int ThreadsPerBlock, int ItemsPerThread>
struct inplace_merge_in_tiles {
  using sorter = block_merge_sort<T, ThreadsPerBlock, ItemsPerThread, true>;
  using storage = typename sorter::storage;
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_tile = sorter::items_per_tile;

  template <class Array, class Compare>
  static GPUSORT_DEVICE bool compare_at(const Array& array, std::uint64_t i, std::uint64_t j,
                                        Compare& compare) {
    return static_cast<bool>(compare(array.load(i), array.load(j)));
  }

  /// Merges the first a_count elements of an array with the b_count after them, a tile together.
  template <class Array, class Compare>
  static GPUSORT_DEVICE void merge(storage& shared, const Array& array, int a_count, int b_count,
                                   Compare& compare) {
    if (a_count == 0 || b_count == 0) return;
    stage_tile<sorter>(shared, a_count + b_count, [&](int i) { return array.load(i); });
    __syncthreads();
    sorter::merge_two(shared, a_count, b_count, compare);
    unstage_tile<sorter>(shared, a_count + b_count, array, 0);
  }
};

/// Elements that are too large for one: segments are halved down to single elements.
template <int ThreadsPerBlock>
struct inplace_merge_without_tiles {
  struct storage {};
  static constexpr int threads_per_block = ThreadsPerBlock;
  static constexpr int items_per_tile = 1;

  template <class Array, class Compare>
  static GPUSORT_DEVICE bool compare_at(const Array& array, std::uint64_t i, std::uint64_t j,
                                        Compare& compare) {
    return is_before(array, i, j, compare);
  }

  template <class Array, class Compare>
  static GPUSORT_DEVICE void merge(storage&, const Array&, int, int, Compare&) {}
};

/// Returns how many elements of run a are among the first `half` of the merged order of a segment
/// that has more. By one thread.
template <class Elements, class Array, class Compare>
GPUSORT_DEVICE std::uint64_t find_half(const Array& array, const segment& runs, std::uint64_t half,
                                       Compare& compare) {
  const std::uint64_t b_begin = runs.begin + runs.a_count, b_count = runs.end - b_begin;
  auto compare_indices = [&](std::uint64_t i, std::uint64_t j) {
    return Elements::compare_at(array, i, j, compare);
  };
  return merge_path<std::uint64_t>(
      [&](std::uint64_t i) { return runs.begin + i; }, [&](std::uint64_t i) { return b_begin + i; },
      half, half > b_count ? half - b_count : 0, min_of(half, runs.a_count), compare_indices);
}

/// Holds what a block shares that merges a segment of 2^l tiles.
template <class Elements>
struct inplace_merge_storage {
  std::uint64_t left;         // of the segment being halved, as `rotation` has it
  std::uint64_t waiting[64];  // [l]: run a's length in the segment of 2^l tiles whose turn is next
  typename Elements::storage tile;
};

/// Halves a segment by one block; returns the length of run a in the first half and leaves that of
/// the second in `right`. Begins after a barrier and ends with one.
template <class Elements, class Array, class Compare>
GPUSORT_DEVICE std::uint64_t halve(std::uint64_t& shared_left, std::uint64_t& right,
                                   const Array& array, const segment& runs, std::uint64_t half,
                                   Compare& compare) {
  if (threadIdx.x == 0) {
    shared_left = find_half<Elements>(array, runs, half, compare);
    right = runs.a_count - shared_left;
  }
  __syncthreads();
  const std::uint64_t left = shared_left;
  const rotation rotated = rotation::halving(runs.begin, half, left, runs.a_count - left);
  rotate<true>(array, rotated, 0, rotated.swaps<true>());
  __syncthreads();
  rotate<false>(array, rotated, 0, rotated.swaps<false>());
  __syncthreads();
  return left;
}

/// Merges a segment of at most 2^log_tiles tiles by one block, in the order of its tiles: a tile is
/// merged once all segments that begin with it are halved. All threads call.
template <class Elements, class Array, class Compare>
GPUSORT_DEVICE void merge_segment(inplace_merge_storage<Elements>& shared, const Array& array,
                                  const segment& runs, int log_tiles, Compare& compare) {
  constexpr std::uint64_t items = Elements::items_per_tile;
  int level = log_tiles;
  std::uint64_t a_count = runs.a_count;
  for (std::uint64_t number = 0; runs.begin + number * items < runs.end; ++number) {
    if (number > 0) {
      level = __ffsll(static_cast<long long>(number)) - 1;
      a_count = shared.waiting[level];
    }
    const std::uint64_t begin = runs.begin + number * items;
    for (; level > 0; --level) {
      const std::uint64_t end = min_of(begin + (items << level), runs.end);
      const std::uint64_t half = items << (level - 1);
      if (end - begin <= half) continue;
      a_count = halve<Elements>(shared.left, shared.waiting[level - 1], array,
                                {begin, end, a_count}, half, compare);
    }
    const int count = static_cast<int>(min_of(items, runs.end - begin));
    const int a_items = static_cast<int>(a_count);
    Elements::merge(shared.tile, array + begin, a_items, count - a_items, compare);
    __syncthreads();
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

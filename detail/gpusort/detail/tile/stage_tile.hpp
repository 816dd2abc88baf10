// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/tile/element_pieces.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The number of threads of a block where the launch says it.
inline constexpr int any_threads = 0;

/// Copies elements [first, first + count) of an array into a tile; all threads of the block.
template <class Array, class Items>
GPUSORT_DEVICE void load_tile(const Array& array, std::uint64_t first, int count, Items& items) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) items[i] = array.load(first + i);
}

/// Returns item first + distance of a tile; where Threads is a power of two the numbers have no bit
/// in common.
template <int Threads, class Items>
GPUSORT_DEVICE auto& item_at(Items& items, unsigned first, unsigned distance) {
  if constexpr (std::is_array_v<Items> || Threads == any_threads ||
                (Threads & (Threads - 1)) != 0) {
    return items[first + distance];
  } else {
    return items.at_distance(first, distance);
  }
}

/// Copies the first `count` items of a tile to array[first, first + count); a block of Threads.
template <int Threads, class Array, class Items>
GPUSORT_DEVICE void store_tile(const Array& array, std::uint64_t first, int count, Items& items) {
  constexpr int at_once = 4;
  const int threads = Threads == any_threads ? static_cast<int>(blockDim.x) : Threads;
  const Array out = array + first;
  using parts = element_pieces<Array>;
  if constexpr (parts::per_element > 1) {
    constexpr int each = parts::per_element;
#pragma unroll 4
    for (int i = threadIdx.x; i < each * count; i += threads) {
      parts::store(out, i / each, i % each, parts::load(items[i / each], i % each));
    }
  } else {
#pragma unroll 1
    for (int i = threadIdx.x; i < count; i += at_once * threads) {
      if constexpr (is_encoded_v<Array>) {  // none waits in the tile for another one to be decoded
        typename Array::value_type x[at_once];
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          if (i + j * threads < count) x[j] = item_at<Threads>(items, i, j * threads);
        }
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          if (i + j * threads < count) out.store(i + j * threads, x[j]);
        }
      } else {
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          const int distance = j * threads;
          if (i + distance < count) out.store(i + distance, item_at<Threads>(items, i, distance));
        }
      }
    }
  }
}

template <class Array, class Items>
GPUSORT_DEVICE void store_tile(const Array& array, std::uint64_t first, int count, Items& items) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) array.store(first + i, items[i]);
}

/// Fills the first `count` items of a tile from load(i). In a full tile a thread has all its loads
/// in flight before it stores the first of them, in others some of them: 31 loads one after the
/// other take longer than all else in a merge of a few tiles.
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
    constexpr int at_once = items < 8 ? items : 8;
#pragma unroll 1
    for (int i = first; i < count; i += at_once * threads) {
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        if (i + j * threads < count) x[j] = load(i + j * threads);
      }
#pragma unroll
      for (int j = 0; j < at_once; ++j) {
        if (i + j * threads < count) shared.tile[i + j * threads] = x[j];
      }
    }
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

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

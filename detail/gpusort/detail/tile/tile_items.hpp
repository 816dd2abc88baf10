// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// Where the items of a tile are before and after a sort. slot(i) is the slot of a
// thread's i-th item in the tile, index(i) its index in the array that is sorted. for_each calls
// body(i, slot) for those items of the thread that exist. load may take them in another order: it
// is for sorts that need not be stable.

/// Holds items in the registers of the threads, thread t having those from t * ItemsPerThread on.
template <int ThreadsPerBlock, int ItemsPerThread>
struct items_in_registers {
  static GPUSORT_DEVICE int slot(int i) {
    return static_cast<int>(threadIdx.x) * ItemsPerThread + i;
  }
  static GPUSORT_DEVICE int index(int i) { return i; }

  template <class Body>
  static GPUSORT_DEVICE void for_each(int count, Body body) {
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      const int at = slot(i);
      if (count == ThreadsPerBlock * ItemsPerThread || at < count) body(i, at);
    }
  }

  /// Loads something for every item; to ask which exist would keep two copies of them alive.
  template <class Array, class T>
  static GPUSORT_DEVICE void load(const Array& array, int, T (&x)[ItemsPerThread]) {
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) x[i] = static_cast<T>(array.load(i));
  }
};

/// Holds items in memory.
template <int ThreadsPerBlock, int ItemsPerThread, int Unroll>
struct items_in_memory {
  static GPUSORT_DEVICE int slot(int i) {
    return i * ThreadsPerBlock + static_cast<int>(threadIdx.x);
  }
  static GPUSORT_DEVICE int index(int i) { return slot(i); }

  template <class Body>
  static GPUSORT_DEVICE void for_each(int count, Body body) {
#pragma unroll Unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      const int at = slot(i);
      if (at < count) body(i, at);
    }
  }

  /// Loads; where all items of a warp exist, neighbouring lanes load neighbours.
  template <class Array, class T>
  static GPUSORT_DEVICE void load(const Array& array, int count, T (&x)[ItemsPerThread]) {
    constexpr int items_per_warp = warp_size * ItemsPerThread;
    if ((warp_id() + 1) * items_per_warp <= count) {
      const int warp_first = warp_id() * items_per_warp;
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        x[i] = static_cast<T>(array.load(warp_first + i * warp_size + lane_id()));
      }
    } else {
      using items = items_in_registers<ThreadsPerBlock, ItemsPerThread>;
      if constexpr (is_encoded_v<Array>) {
        fetched_element_t<Array> fetched[ItemsPerThread];
        items::for_each(count, [&](int i, int slot) { fetched[i] = fetch(array, slot); });
        items::for_each(count, [&](int i, int) { x[i] = static_cast<T>(hold(array, fetched[i])); });
      } else {
        items::for_each(count, [&](int i, int slot) { x[i] = static_cast<T>(array.load(slot)); });
      }
    }
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>

#include "../null_type.cuh"
#include "kit/block_on_cpu.hpp"

namespace cub {

/// Has what the library calls of CUB's, of unsigned keys.
template <class Key, int Threads, int Items, class Value = NullType, int Bits = 4>
class BlockRadixSort {
  static_assert(std::is_unsigned_v<Key> && std::is_same_v<Value, NullType>);

 public:
  struct TempStorage {
    Key keys[Threads * Items];
  };

  explicit BlockRadixSort(TempStorage& storage) : keys_(storage.keys) {}

  void Sort(Key (&keys)[Items]) { sort(keys, std::less<>{}, false); }
  void SortDescending(Key (&keys)[Items]) { sort(keys, std::greater<>{}, false); }
  void SortBlockedToStriped(Key (&keys)[Items]) { sort(keys, std::less<>{}, true); }
  void SortDescendingBlockedToStriped(Key (&keys)[Items]) { sort(keys, std::greater<>{}, true); }

 private:
  template <class Order>
  void sort(Key (&keys)[Items], const Order& order, bool is_striped) {
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = 0; i < Items; ++i) keys_[thread * Items + i] = keys[i];
    __syncthreads();
    if (thread == 0) std::sort(keys_, keys_ + Threads * Items, order);
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      keys[i] = keys_[is_striped ? i * Threads + thread : thread * Items + i];
    }
  }

  Key* keys_;
};

}  // namespace cub

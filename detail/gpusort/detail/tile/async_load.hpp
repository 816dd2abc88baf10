// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <gpusort/detail/support/array.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Copies an object to shared memory in pieces of the largest size that its alignment allows.
template <class T>
GPUSORT_DEVICE void start_copy(T* to, const T* from) {
  constexpr int piece = alignof(T) < 16 ? alignof(T) : 16;
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(T)); i += piece) {
    __pipeline_memcpy_async(reinterpret_cast<char*>(to) + i,
                            reinterpret_cast<const char*>(from) + i, piece);
  }
}

/// Most bytes of elements that are loaded asynchronously; larger ones are faster through registers:
/// 4 runs of 32 bytes by 2%, of 64 by 5%.
inline constexpr int max_async_bytes = 16;

/// Whether elements of an array are to be copied to shared memory with no thread waiting for them
/// (from sm_80 on), and how: they come as they are, in pieces of 4 bytes or more.
template <class Array>
struct async_load {
  static constexpr bool is_possible = false;
};

template <class Key>
struct async_load<key_array<Key>> {
  static constexpr bool is_possible = alignof(Key) >= 4 && sizeof(Key) <= max_async_bytes;
  static GPUSORT_DEVICE void start(const key_array<Key>& from, std::int64_t i,
                                   std::remove_const_t<Key>* to) {
    start_copy(to, from.keys + i);
  }
};

template <class Key, class Value>
struct async_load<key_value_array<Key, Value>> {
  using element = typename key_value_array<Key, Value>::value_type;
  static constexpr bool is_possible =
      alignof(Key) >= 4 && alignof(Value) >= 4 && sizeof(element) <= max_async_bytes;
  static GPUSORT_DEVICE void start(const key_value_array<Key, Value>& from, std::int64_t i,
                                   element* to) {
    start_copy(&to->key, from.keys + i);
    start_copy(&to->value, from.values + i);
  }
};

/// Waits until what the thread has started has come; others see it after a barrier.
GPUSORT_DEVICE void wait_for_loads() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

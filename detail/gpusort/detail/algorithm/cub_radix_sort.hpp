// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/library.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// CUB's radix sort of numbers, alone (Value is cub::NullType) or with values. Its kernels depend
/// on nothing else: gpusort's library has those for words.
///
/// CUB is given 64-bit sizes only: Thrust does the same, and 32-bit ones would be all kernels once
/// more.
template <class Key, class Value, bool Descending>
struct cub_radix_sort {
  struct range {
    std::uint64_t n;
    int begin_bit;
    int end_bit;
  };
  struct columns {
    const Key* keys_in = nullptr;
    const Value* values_in = nullptr;
    Key* keys_out = nullptr;
    Value* values_out = nullptr;
  };

  /// Sorts within two buffers each, the current one holding the input before and the result
  /// afterwards. Without `temporary`, only returns the bytes that it needs.
  static std::size_t in_buffers(cudaStream_t stream, cub::DoubleBuffer<Key>& keys,
                                cub::DoubleBuffer<Value>& values, const range& r, void* temporary,
                                std::size_t bytes);

  /// Sorts from one array to another, keeps the input, and takes n elements of scratch by itself.
  /// Without `temporary`, only returns the bytes that it needs.
  static std::size_t copy(cudaStream_t stream, const columns& c, const range& r, void* temporary,
                          std::size_t bytes);

 private:
  static constexpr bool has_values = !std::is_same_v<Value, cub::NullType>;
  static constexpr const char* doing = "radix sort";
};

template <class Key, class Value, bool Descending>
std::size_t cub_radix_sort<Key, Value, Descending>::in_buffers(
    cudaStream_t stream, cub::DoubleBuffer<Key>& keys,
    [[maybe_unused]] cub::DoubleBuffer<Value>& values, const range& r, void* temporary,
    std::size_t bytes) {
  using cub::DeviceRadixSort;
  cudaError_t status;
  if constexpr (has_values && Descending) {
    status = DeviceRadixSort::SortPairsDescending(temporary, bytes, keys, values, r.n, r.begin_bit,
                                                  r.end_bit, stream);
  } else if constexpr (has_values) {
    status = DeviceRadixSort::SortPairs(temporary, bytes, keys, values, r.n, r.begin_bit, r.end_bit,
                                        stream);
  } else if constexpr (Descending) {
    status = DeviceRadixSort::SortKeysDescending(temporary, bytes, keys, r.n, r.begin_bit,
                                                 r.end_bit, stream);
  } else {
    status = DeviceRadixSort::SortKeys(temporary, bytes, keys, r.n, r.begin_bit, r.end_bit, stream);
  }
  check(status, doing);
  return bytes;
}

template <class Key, class Value, bool Descending>
std::size_t cub_radix_sort<Key, Value, Descending>::copy(cudaStream_t stream, const columns& c,
                                                         const range& r, void* temporary,
                                                         std::size_t bytes) {
  using cub::DeviceRadixSort;
  cudaError_t status;
  if constexpr (has_values && Descending) {
    status =
        DeviceRadixSort::SortPairsDescending(temporary, bytes, c.keys_in, c.keys_out, c.values_in,
                                             c.values_out, r.n, r.begin_bit, r.end_bit, stream);
  } else if constexpr (has_values) {
    status = DeviceRadixSort::SortPairs(temporary, bytes, c.keys_in, c.keys_out, c.values_in,
                                        c.values_out, r.n, r.begin_bit, r.end_bit, stream);
  } else if constexpr (Descending) {
    status = DeviceRadixSort::SortKeysDescending(temporary, bytes, c.keys_in, c.keys_out, r.n,
                                                 r.begin_bit, r.end_bit, stream);
  } else {
    status = DeviceRadixSort::SortKeys(temporary, bytes, c.keys_in, c.keys_out, r.n, r.begin_bit,
                                       r.end_bit, stream);
  }
  check(status, doing);
  return bytes;
}

// The library's sorts of a key in one direction: `declare` is `extern` for who links it.

#define GPUSORT_DETAIL_CUB_RADIX_SORTS(declare, key, is_descending)          \
  declare template struct cub_radix_sort<key, cub::NullType, is_descending>; \
  declare template struct cub_radix_sort<key, std::uint32_t, is_descending>; \
  declare template struct cub_radix_sort<key, std::uint64_t, is_descending>;

#if GPUSORT_HAS_LIBRARY
#define GPUSORT_DETAIL_BOTH_WAYS(key)                \
  GPUSORT_DETAIL_CUB_RADIX_SORTS(extern, key, false) \
  GPUSORT_DETAIL_CUB_RADIX_SORTS(extern, key, true)
GPUSORT_DETAIL_BOTH_WAYS(std::int8_t)
GPUSORT_DETAIL_BOTH_WAYS(std::uint8_t)
GPUSORT_DETAIL_BOTH_WAYS(std::int16_t)
GPUSORT_DETAIL_BOTH_WAYS(std::uint16_t)
GPUSORT_DETAIL_BOTH_WAYS(std::int32_t)
GPUSORT_DETAIL_BOTH_WAYS(std::uint32_t)
GPUSORT_DETAIL_BOTH_WAYS(std::int64_t)
GPUSORT_DETAIL_BOTH_WAYS(std::uint64_t)
GPUSORT_DETAIL_BOTH_WAYS(float)
GPUSORT_DETAIL_BOTH_WAYS(double)
#undef GPUSORT_DETAIL_BOTH_WAYS
#endif

}  // namespace GPUSORT_LINKED
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "../null_type.cuh"
#include "runtime.hpp"

namespace cub {

template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;

  DoubleBuffer(T* current, T* other) : d_buffers{current, other} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

/// Has what the library calls of CUB's. The result is in the other buffer where the number of
/// passes would leave it there.
class DeviceRadixSort {
 public:
  template <class Key, class N>
  static cudaError_t SortKeys(void* temporary, std::size_t& bytes, const Key* in, Key* out, N n,
                              int begin, int end, cudaStream_t stream) {
    return sort<false>(temporary, bytes, in, out, no_values, no_values, n, begin, end, stream);
  }
  template <class Key, class N>
  static cudaError_t SortKeysDescending(void* temporary, std::size_t& bytes, const Key* in,
                                        Key* out, N n, int begin, int end, cudaStream_t stream) {
    return sort<true>(temporary, bytes, in, out, no_values, no_values, n, begin, end, stream);
  }
  template <class Key, class Value, class N>
  static cudaError_t SortPairs(void* temporary, std::size_t& bytes, const Key* in, Key* out,
                               const Value* values_in, Value* values_out, N n, int begin, int end,
                               cudaStream_t stream) {
    return sort<false>(temporary, bytes, in, out, values_in, values_out, n, begin, end, stream);
  }
  template <class Key, class Value, class N>
  static cudaError_t SortPairsDescending(void* temporary, std::size_t& bytes, const Key* in,
                                         Key* out, const Value* values_in, Value* values_out, N n,
                                         int begin, int end, cudaStream_t stream) {
    return sort<true>(temporary, bytes, in, out, values_in, values_out, n, begin, end, stream);
  }

  template <class Key, class N>
  static cudaError_t SortKeys(void* temporary, std::size_t& bytes, DoubleBuffer<Key>& keys, N n,
                              int begin, int end, cudaStream_t stream) {
    DoubleBuffer<unsigned char> none(nullptr, nullptr);
    return sort_buffers<false>(temporary, bytes, keys, none, n, begin, end, stream);
  }
  template <class Key, class N>
  static cudaError_t SortKeysDescending(void* temporary, std::size_t& bytes,
                                        DoubleBuffer<Key>& keys, N n, int begin, int end,
                                        cudaStream_t stream) {
    DoubleBuffer<unsigned char> none(nullptr, nullptr);
    return sort_buffers<true>(temporary, bytes, keys, none, n, begin, end, stream);
  }
  template <class Key, class Value, class N>
  static cudaError_t SortPairs(void* temporary, std::size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, N n, int begin, int end,
                               cudaStream_t stream) {
    return sort_buffers<false>(temporary, bytes, keys, values, n, begin, end, stream);
  }
  template <class Key, class Value, class N>
  static cudaError_t SortPairsDescending(void* temporary, std::size_t& bytes,
                                         DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, N n,
                                         int begin, int end, cudaStream_t stream) {
    return sort_buffers<true>(temporary, bytes, keys, values, n, begin, end, stream);
  }

 private:
  using word = unsigned __int128;
  static constexpr unsigned char* no_values = nullptr;

  /// Returns the key's bits, in the order of keys; zeros of both signs are equal.
  template <class Key>
  static word digits_of(const Key& key, int begin, int end) {
    constexpr int bits = 8 * sizeof(Key);
    constexpr bool is_integer = std::is_integral_v<Key> || sizeof(Key) == 16;
    const word sign = word{1} << (bits - 1);
    word digits = 0;
    std::memcpy(&digits, &key, sizeof(Key));
    if constexpr (!is_integer) {
      if (digits == sign) digits = 0;
      digits ^= (digits & sign) != 0 ? sign | (sign - 1) : sign;
    } else if constexpr (std::is_signed_v<Key> || std::is_same_v<Key, __int128>) {
      digits ^= sign;
    }
    const word above = end >= 128 ? ~word{0} : (word{1} << end) - 1;
    return (digits & above) >> begin;
  }

  template <bool Descending, class Key, class Value, class N>
  static cudaError_t sort(void* temporary, std::size_t& bytes, const Key* in, Key* out,
                          const Value* values_in, Value* values_out, N n, int begin, int end,
                          cudaStream_t stream) {
    const std::size_t needed = 1024 + static_cast<std::size_t>(n) / 64;
    if (temporary == nullptr) {
      bytes = needed;
    } else if (bytes < needed) {
      return cudaErrorInvalidValue;
    } else {
      kit::on_stream(stream, [=] { std::memset(temporary, 0x5a, needed); });
      kit::on_stream(stream,
                     [=] { sort_now<Descending>(in, out, values_in, values_out, n, begin, end); });
    }
    return cudaSuccess;
  }

  template <bool Descending, class Key, class Value, class N>
  static void sort_now(const Key* in, Key* out, const Value* values_in, Value* values_out, N n,
                       int begin, int end) {
    struct item {
      word digits;
      Key key;
      Value value;
    };
    std::vector<item> items(static_cast<std::size_t>(n));
    for (N i = 0; i < n; ++i) {
      items[i] = {digits_of(in[i], begin, end), in[i], {}};
      if (values_in != nullptr) items[i].value = values_in[i];
    }
    std::stable_sort(items.begin(), items.end(), [](const item& a, const item& b) {
      return Descending ? b.digits < a.digits : a.digits < b.digits;
    });
    for (N i = 0; i < n; ++i) {
      out[i] = items[i].key;
      if (values_in != nullptr) values_out[i] = items[i].value;
    }
  }

  template <bool Descending, class Key, class Value, class N>
  static cudaError_t sort_buffers(void* temporary, std::size_t& bytes, DoubleBuffer<Key>& keys,
                                  DoubleBuffer<Value>& values, N n, int begin, int end,
                                  cudaStream_t stream) {
    // As many passes as there are bytes: an even number of them ends where the first began.
    const bool comes_back = (end - begin + 7) / 8 % 2 == 0;
    const cudaError_t status =
        sort<Descending>(temporary, bytes, keys.Current(),
                         comes_back ? keys.Current() : keys.Alternate(), values.Current(),
                         comes_back ? values.Current() : values.Alternate(), n, begin, end, stream);
    if (temporary != nullptr && !comes_back) {
      keys.selector ^= 1;
      values.selector ^= 1;
    }
    return status;
  }
};

}  // namespace cub

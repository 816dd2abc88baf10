// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/order.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A number of 4 bytes and a value of 4 as a word: those with lesser keys are less, or, where the
/// bits of keys are flipped, those with greater ones.
template <class Key>
struct packed_pair {
  static_assert(sizeof(Key) == sizeof(std::uint32_t));

  static GPUSORT_DEVICE std::uint64_t pack(const Key& key, std::uint32_t value,
                                           std::uint32_t flips) {
    return std::uint64_t{as_ordered_bits::encode(key) ^ flips} << 32 | value;
  }
  static GPUSORT_DEVICE Key key_of(std::uint64_t word, std::uint32_t flips) {
    return as_ordered_bits::decode<Key>(static_cast<std::uint32_t>(word >> 32) ^ flips);
  }
};

inline constexpr int packing_threads = 256;

template <class Key>
GPUSORT_KERNEL void __launch_bounds__(packing_threads)
    pack_pairs_kernel(const Key* keys, const std::uint32_t* values, std::uint64_t n,
                      std::uint32_t flips, std::uint64_t* words) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * packing_threads + threadIdx.x;
  if (i < n) words[i] = packed_pair<Key>::pack(keys[i], values[i], flips);
}

template <class Key>
GPUSORT_KERNEL void __launch_bounds__(packing_threads)
    unpack_pairs_kernel(const std::uint64_t* words, std::uint64_t n, std::uint32_t flips, Key* keys,
                        std::uint32_t* values) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * packing_threads + threadIdx.x;
  if (i >= n) return;
  keys[i] = packed_pair<Key>::key_of(words[i], flips);
  values[i] = static_cast<std::uint32_t>(words[i]);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

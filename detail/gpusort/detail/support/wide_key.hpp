// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// An unsigned key of more bits than the compiler has integers for; the most significant word is
/// the first.
template <int Words>
struct wide_key {
  std::uint64_t words[static_cast<std::size_t>(Words)];

  /// Compares without a branch for each word: those that decide differ among the lanes of a warp.
  friend GPUSORT_HOST_DEVICE bool operator<(const wide_key& a, const wide_key& b) {
    bool is_less = false;
    for (int w = Words - 1; w >= 0; --w) {
      is_less = a.words[w] < b.words[w] || (a.words[w] == b.words[w] && is_less);
    }
    return is_less;
  }

  friend GPUSORT_HOST_DEVICE bool operator!=(const wide_key& a, const wide_key& b) {
    std::uint64_t differences = 0;
    for (int w = 0; w < Words; ++w) differences |= a.words[w] ^ b.words[w];
    return differences != 0;
  }
};

/// A key of more words than are moved along: it stays in memory, and is compared 16 bytes at a
/// time. The most significant word is the first; zeros fill the last pair.
template <int Pairs>
struct long_key {
  struct alignas(16) pair {
    std::uint64_t high, low;
  };
  pair pairs[static_cast<std::size_t>(Pairs)];

  friend GPUSORT_HOST_DEVICE bool operator<(const long_key& a, const long_key& b) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // a sort compares in many places
#endif
    for (int i = 0; i < Pairs; ++i) {
      const pair x = a.pairs[i], y = b.pairs[i];
      if (x.high != y.high) return x.high < y.high;
      if (x.low != y.low) return x.low < y.low;
    }
    return false;
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

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

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

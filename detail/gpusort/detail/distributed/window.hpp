// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Elements low .. high - 1 of a rank's range, of which `count` are sampled, the first and the last
/// among them, into slots first .. first + count - 1 of the sample. count <= high - low.
struct window {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t count;
  std::uint64_t first;

  /// Returns the index in the range of sample t < count; it grows with t.
  GPUSORT_HOST_DEVICE std::uint64_t position(std::uint64_t t) const {
    if (count < 2) return low;
    const std::uint64_t width = high - low - 1;
    const std::uint64_t gaps = count - 1;
    return low + t * (width / gaps) + t * (width % gaps) / gaps;  // gaps^2 < 2^64
  }
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

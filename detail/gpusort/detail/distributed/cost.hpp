// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/header.hpp>
#include <gpusort/detail/distributed/selection_plan.hpp>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Counts what a rank sends to the others.
struct traffic {
  std::uint64_t element_bytes = 0;    // keys and values
  std::uint64_t selection_bytes = 0;  // samples, windows, and all else that is small
  std::size_t rounds = 0;             // of the selection, two collectives each
};

/// Predicts a sort of n elements of each of p ranks, all of one distribution.
///
/// A round sends s keys and a window of 32 bytes to each other rank: s is 32 for many ranks, less
/// where fewer elements are left. A round reduces a window to the elements between two samples, on
/// either side of the cut.
inline traffic predicted_traffic(std::size_t p, std::uint64_t n, std::size_t key_bytes,
                                 std::size_t value_bytes) {
  traffic t;
  if (p < 2) return t;
  const selection_plan plan(p, key_bytes);
  const double others = static_cast<double>(p - 1);
  const double window_bytes = 4 * sizeof(std::uint64_t);
  double bytes = sizeof(header) + 3 * sizeof(std::uint64_t);  // errors before and after, counts
  double width = static_cast<double>(n);
  while (width >= 1) {
    const auto all = static_cast<std::uint64_t>(width * static_cast<double>(p));
    const auto stride = static_cast<double>(plan.stride_of(all));
    const double samples = (std::min)(width, (width - 1) / stride + 1.5);
    bytes += samples * static_cast<double>(key_bytes) + window_bytes;
    ++t.rounds;
    if (samples >= width) break;
    width = 2 * ((width - 1) / (samples - 1) - 1);
  }
  t.selection_bytes = static_cast<std::uint64_t>(others * bytes);
  t.element_bytes = static_cast<std::uint64_t>(static_cast<double>(n * (key_bytes + value_bytes)) *
                                               others / static_cast<double>(p));
  return t;
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

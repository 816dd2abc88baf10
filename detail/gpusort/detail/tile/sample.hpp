// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Where element i of a sample of 2^log_samples comes from: a random place in the i-th of as many
/// equal parts of [0, count). Ascending in i; parts may be empty.
GPUSORT_HOST_DEVICE constexpr std::uint64_t sample_place(std::uint64_t i, int log_samples,
                                                         std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t low = i * count >> log_samples, high = (i + 1) * count >> log_samples;
  const std::uint64_t random = mix_bits(seed + i) >> 32;
  return low + (random * (high - low) >> 32);
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// Returns the index of element i of a sample of 2^log_samples: a random one in the i-th of as many
/// equal parts of [0, count). Ascending in i; parts may be empty.
GPUSORT_HOST_DEVICE constexpr std::uint64_t sample_index(std::uint64_t i, int log_samples,
                                                         std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t low = i * count >> log_samples, high = (i + 1) * count >> log_samples;
  const std::uint64_t random = mix_bits(seed + i) >> 32;
  return low + (random * (high - low) >> 32);
}

/// Calls use(i, index) for each element of a sample. A block's threads share them.
template <class Use>
GPUSORT_DEVICE void for_each_sample(int log_samples, std::uint64_t count, std::uint64_t seed,
                                    const Use& use) {
  for (int i = threadIdx.x; i < 1 << log_samples; i += blockDim.x) {
    use(i, sample_index(i, log_samples, count, seed));
  }
}

/// Whether a comes before b in the order of values, and of indices where they are equivalent. An
/// element comes before itself.
template <class T, class Compare>
GPUSORT_DEVICE bool is_before(T a, int a_index, T b, int b_index, Compare& compare) {
  const bool is_later = b_index < a_index;
  return static_cast<bool>(compare(select(is_later, a, b), select(is_later, b, a))) == is_later;
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <random>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The seed of every call under `deterministic`.
inline constexpr std::uint64_t fixed_sample_seed = 0x67707573;

/// Where samples are taken must not be known to whoever makes the input, so each call has a seed of
/// its own. The first one is the process's: from the system, and from the clock where the system's
/// random device is none.
inline std::uint64_t next_sample_seed() {
  static std::atomic<std::uint64_t> calls = [] {
    std::uint64_t entropy =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    try {
      std::random_device device;
      entropy ^= std::uint64_t{device()} << 32 ^ device();
    } catch (const std::exception&) {  // no random device: the clock has to do
    }
    return mix_bits(entropy);
  }();
  return mix_bits(calls.fetch_add(1, std::memory_order_relaxed));
}

inline std::uint64_t sample_seed(bool is_deterministic) {
  return is_deterministic ? fixed_sample_seed : next_sample_seed();
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

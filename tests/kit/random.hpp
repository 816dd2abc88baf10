// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdlib>
#include <gpusort/detail/support/config.hpp>
#include <random>

namespace kit {

/// Returns a bijection of 64 bits that looks random. Everything random in the tests is a pure
/// function of (seed, position), so that host and device make the same data and any element can be
/// remade alone.
GPUSORT_HOST_DEVICE constexpr std::uint64_t scramble(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 32;
  return x;
}

GPUSORT_HOST_DEVICE constexpr std::uint64_t random_at(std::uint64_t seed, std::uint64_t position) {
  return scramble(scramble(seed + 0x9E3779B97F4A7C15ull) + 0xC2B2AE3D27D4EB4Full * (position + 1));
}

/// Returns the seed of this run: GPUSORT_TEST_SEED, or a fresh one. environment.hpp prints it
/// before the first test.
inline std::uint64_t seed() {
  static const std::uint64_t value = [] {
    if (const char* text = std::getenv("GPUSORT_TEST_SEED")) {
      return static_cast<std::uint64_t>(std::strtoull(text, nullptr, 0));
    }
    return static_cast<std::uint64_t>(std::random_device{}());
  }();
  return value;
}

/// Tells whether GPUSORT_TEST_SMALL=1 asks for sizes that compute-sanitizer gets through in
/// minutes.
inline bool small_sizes_only() {
  static const bool value = [] {
    const char* text = std::getenv("GPUSORT_TEST_SMALL");
    return text != nullptr && text[0] != '\0' && text[0] != '0';
  }();
  return value;
}

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "random.hpp"

namespace kit {

/// Returns sizes around every boundary a small sort has: warps, tiles, blocks.
inline std::vector<std::size_t> edge_sizes() {
  if (small_sizes_only()) return {0, 1, 2, 3, 32, 33, 257, 1025};
  return {0,    1,    2,    3,    31,   32,   33,   127,  128,  129,  255,  256,  257,
          1000, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193};
}

/// Returns sizes around boundaries of several blocks, and of one level of distribution.
inline std::vector<std::size_t> medium_sizes() {
  if (small_sizes_only()) return {2049, 5000};
  return {16383, 16384, 16385, 65535, 65536, 65537, 100003, (1 << 18) - 1, (1 << 18) + 1};
}

inline std::vector<std::size_t> large_sizes() {
  if (small_sizes_only()) return {20011};
  return {(1 << 20) + 7, (1 << 22) + 1};
}

/// Returns sizes for a few tests of a few types.
inline std::vector<std::size_t> huge_sizes() {
  if (small_sizes_only()) return {};
  return {1 << 24, (1 << 26) - 3};
}

/// Whether the device is the CPU (device_on_cpu/), which has few multiprocessors and takes its
/// time.
#if defined(GPUSORT_CPU_ARCHITECTURE)
inline constexpr bool device_is_cpu = true;
#else
inline constexpr bool device_is_cpu = false;
#endif

/// Number of elements that is more than one launch sorts of any type.
inline constexpr std::size_t beyond_one_launch = device_is_cpu ? 50003 : (1 << 18) + 1;

/// Returns a few sizes across all routes, for what is tested on every route.
inline std::vector<std::size_t> route_sizes() {
  if (small_sizes_only()) return {2, 33, 1000, 5000};
  return {2, 33, 1000, 1024, 2049, 20000, 200003, 300007};
}

/// No case holds more bytes than this; larger ones are left out.
inline constexpr std::size_t case_bytes = std::size_t{1} << 29;

}  // namespace kit

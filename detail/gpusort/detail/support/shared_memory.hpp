// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the bytes that a block may have, with the opt-in that launch() performs, on every device
/// that runs binaries of an architecture, spelled as in __CUDA_ARCH__: its own and later ones of
/// that major version. Source: CUDA programming guide, compute capabilities.
constexpr std::size_t shared_memory_of(int architecture) {
  const std::size_t kilobytes = architecture >= 1200  ? 99
                                : architecture >= 900 ? 227
                                : architecture >= 800 ? 99
                                                      : 64;
  return kilobytes * 1024;
}

#if defined(__CUDA_ARCH_LIST__)
inline constexpr int compiled_architectures[] = {__CUDA_ARCH_LIST__};
static_assert(sizeof(compiled_architectures) <= 32 * sizeof(int),
              "gpusort: GPUSORT_ABI names no more than 32 architectures of one compilation");
#else
inline constexpr int compiled_architectures[] = {900};
#endif

/// Returns what a block may have on devices of all architectures that are compiled for.
constexpr std::size_t shared_memory_per_block() {
  std::size_t least = shared_memory_of(compiled_architectures[0]);
  for (int architecture : compiled_architectures) {
    if (shared_memory_of(architecture) < least) least = shared_memory_of(architecture);
  }
  return least;
}

/// Whether some device may run code that has the features of an architecture.
constexpr bool is_compiled_for(int wanted) {
  for (int architecture : compiled_architectures) {
    if (architecture >= wanted) return true;
  }
  return false;
}

/// Returns an upper bound of what n elements take in a tile, gaps against bank conflicts included.
constexpr std::size_t tile_bytes(std::size_t n, std::size_t element_bytes) {
  return n * (element_bytes <= 16 ? element_bytes + element_bytes / 8 + 1 : element_bytes + 16);
}

/// Returns the elements of the largest tile, a power of two.
constexpr std::size_t max_tile_items(std::size_t element_bytes,
                                     std::size_t shared_bytes = shared_memory_per_block()) {
  constexpr std::size_t beside_the_tile = 8 * 1024;
  std::size_t items = element_bytes <= 8 ? 8192 : element_bytes <= 16 ? 4096 : 2048;
  while (tile_bytes(items, element_bytes) + beside_the_tile > shared_bytes) items /= 2;
  return items;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

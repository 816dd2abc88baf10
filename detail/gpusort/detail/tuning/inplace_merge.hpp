// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of the merge in place for elements of one size.
template <std::size_t ElementBytes>
struct inplace_merge {
  // Segments are halved down to a tile, which so has a power of two of elements: 16 KB of them.
  static constexpr int items_per_thread = ElementBytes <= 8    ? 16
                                          : ElementBytes <= 16 ? 8
                                          : ElementBytes <= 32 ? 4
                                          : ElementBytes <= 64 ? 2
                                                               : 1;
  static constexpr int threads_per_block = ElementBytes <= 16 ? 256 : 128;

  // Larger elements do without tiles: then most of a block's steps swap a few elements, in pieces
  // of at most 16 bytes.
  static constexpr bool in_tiles = ElementBytes <= 128;
  static constexpr int threads_without_tiles = 128;

  // Searches wait for memory and nothing else: many small blocks are on many multiprocessors.
  static constexpr int split_threads = 32;

  // Swaps of one block: enough that each thread has several loads in flight, few enough that small
  // inputs still are many blocks. Measured for 2^26 u32 2.5 ms, for 2^26 elements of 64 bytes 48
  // ms.
  static constexpr int swap_threads = 256;
  static constexpr int log_swaps = ElementBytes <= 16   ? 10
                                   : ElementBytes <= 32 ? 9
                                   : ElementBytes <= 64 ? 8
                                                        : 6;

  // The whole device halves segments until there are 2^log_segments sqrt(n) of them; then each is
  // one block's. Scratch holds 8 bytes for each. With 4 sqrt(n), segments of 4-byte elements get
  // down to one tile up to 2^28 elements.
  static constexpr int log_segments = 2;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

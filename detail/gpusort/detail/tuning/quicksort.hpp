// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tile/block_quicksort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of quicksort for elements of one size.
template <std::size_t ElementBytes>
struct quicksort {
  // Phase one: a tile is in registers while space is reserved for it. 64 bytes a thread, in blocks
  // that are many enough to load while others wait for their places.
  static constexpr int threads_per_block = 256;
  static constexpr int items_per_thread = ElementBytes <= 4    ? 24
                                          : ElementBytes <= 8  ? 12
                                          : ElementBytes <= 16 ? 4
                                          : ElementBytes <= 32 ? 2
                                                               : 1;
  static constexpr int blocks_resident = 4;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;

  // Medians of medians of 288 samples, and of 96 for large elements, which take registers, are off
  // by some 5 and 7% of the elements: a level in 50 for nothing.
  static constexpr int samples_per_thread = ElementBytes <= 16 ? 9 : 3;
  static constexpr int plan_threads_per_block = 128;

  // Phase two: a piece is in shared memory, twice, so that four blocks share a multiprocessor. Its
  // parts are sorted by a warp each when its registers hold them.
  static constexpr int piece_threads_per_block = 256;
  static constexpr int piece_blocks_resident = 4;
  static constexpr int piece_items_per_lane = ElementBytes <= 8 ? 8 : ElementBytes <= 16 ? 4 : 2;
  static constexpr int piece_batch_per_lane = ElementBytes <= 4    ? 8
                                              : ElementBytes <= 8  ? 4
                                              : ElementBytes <= 16 ? 2
                                                                   : 1;
  static constexpr int piece_items = [] {
    using padding = tile::tile_padding<ElementBytes>;
    constexpr std::size_t most_bytes = 52 * 1024;
    constexpr std::size_t slot = ElementBytes + (padding::has_gaps ? 16 : 0);
    int items = tile::warp_size * tile::warp_size * piece_items_per_lane - 256;
    while (2 * slot * padding::slots(items) > most_bytes) items -= 32;
    return items;
  }();

  static constexpr int piece_levels =
      2 * ceil_log2(piece_items / (tile::warp_size * piece_items_per_lane)) + 4;

  /// Levels of phase one for n elements: as many as halving takes, and some for pivots that are off
  /// and for repeated keys. What is too long after the last one is merge sorted.
  static constexpr int levels(std::uint64_t n) {
    const int halvings = ceil_log2(ceil_div<std::uint64_t>(n, piece_items));
    return halvings == 0 ? 0 : halvings + halvings / 4 + 3;
  }

  /// Splits of phase one: halving takes one or two for each piece. Bounds the list of pieces.
  static constexpr std::uint64_t splits(std::uint64_t n) { return 4 * (n / piece_items) + 64; }

  static constexpr std::uint32_t seed = 0x71736f72;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

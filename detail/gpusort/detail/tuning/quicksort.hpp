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

/// The tuning of quicksort for elements of one size.
template <std::size_t ElementBytes>
struct quicksort {
  // Phase one: a tile is in registers while its sides are found, then in shared memory. Measured
  // for 4 bytes, 2^26, a level in ms: 256 x 24 0.166, 256 x 16 0.175, 512 x 16 0.19, 128 x 16
  // (items stored from registers) 0.28, where the many blocks wait for one counter.
  static constexpr int threads_per_block = 256;
  static constexpr int items_per_thread = ElementBytes <= 4    ? 24
                                          : ElementBytes <= 8  ? 12
                                          : ElementBytes <= 16 ? 4
                                          : ElementBytes <= 32 ? 2
                                                               : 1;
  static constexpr int blocks_resident = 4;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;

  // Medians of medians of 288 samples, and of 96 for large elements, which take registers. By
  // estimate they are off by 5 and 7% of the elements, which costs 1 or 2% more levels.
  static constexpr int samples_per_thread = ElementBytes <= 16 ? 9 : 3;
  static constexpr int plan_threads_per_block = 128;

  // Phase two: a piece is in shared memory, twice, so that four blocks share a multiprocessor. Its
  // parts are sorted by a warp each when its registers hold them. Measured for 4 bytes, 2^26, ms:
  // 256 to a warp 1.58, 512 2.10, 128 1.83; 256 threads 1.58, 512 in twice the memory 1.75, 128 in
  // half of it 1.44, but that is a level of phase one more.
  static constexpr int piece_threads_per_block = 256;
  static constexpr int piece_blocks_resident = 4;
  static constexpr int piece_items_per_lane = ElementBytes <= 8 ? 8 : ElementBytes <= 16 ? 4 : 2;
  static constexpr int piece_batch_per_lane = ElementBytes <= 4    ? 8
                                              : ElementBytes <= 8  ? 4
                                              : ElementBytes <= 16 ? 2
                                                                   : 1;
  // A warp finds a batch's sequence, so there are no more than 32, each longer than a warp's part.
  static constexpr int piece_items = [] {
    using padding = tile::tile_padding<ElementBytes>;
    constexpr std::size_t most_bytes = 52 * 1024;
    constexpr std::size_t slot = ElementBytes + (padding::has_gaps ? 16 : 0);
    int items = tile::warp_size * tile::warp_size * piece_items_per_lane - 256;
    while (2 * slot * padding::slots(items) > most_bytes) items -= 32;
    return items;
  }();

  // Twice what halving takes, and some for repeated keys.
  static constexpr int piece_levels =
      2 * ceil_log2(piece_items / (tile::warp_size * piece_items_per_lane)) + 4;

  /// Returns the levels of phase one for n elements: as many as halving takes, and some for pivots
  /// that are off and for repeated keys. What is too long after the last one is merge sorted.
  static constexpr int levels(std::uint64_t n) {
    const int halvings = ceil_log2(ceil_div<std::uint64_t>(n, piece_items));
    return halvings == 0 ? 0 : halvings + halvings / 4 + 3;
  }

  /// Splits of phase one: halving takes one or two for each piece. Bounds the list of pieces.
  static constexpr std::uint64_t splits(std::uint64_t n) { return 4 * (n / piece_items) + 64; }
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

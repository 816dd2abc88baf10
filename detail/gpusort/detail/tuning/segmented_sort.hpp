// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tuning/architecture.hpp>
#include <gpusort/detail/tuning/block_tiles.hpp>
#include <gpusort/detail/tuning/quicksort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of segmented sort for elements of one size.
template <std::size_t ElementBytes, architecture Arch = architecture::every>
struct segmented_sort {
  static constexpr architecture arch = Arch;
  static constexpr int list_threads_per_block = 256;

  // Segments that registers hold. As many items in a lane as these hold: exchanges inside a lane
  // cost no shuffle. Short segments share a warp. Measured for u32, 2^26 items, in ms: in segments
  // of 4 with 8 lanes for each 1.48, 2 lanes 0.81, 1 lane 0.57; of 16 with 4 lanes 0.55, 2 lanes
  // 0.49; of lengths from 0 to 128 with 8 or 32 lanes 0.68, 16 too 0.53.
  static constexpr int items_per_lane = ElementBytes <= 8 ? 8 : ElementBytes <= 16 ? 4 : 2;
  static constexpr int small_threads_per_block = 128;
  static constexpr int small_blocks_resident =
      min_of(ElementBytes <= 4    ? 10
             : ElementBytes <= 16 ? 8
                                  : 4,
             threads_per_multiprocessor(Arch) / small_threads_per_block);

  /// Returns the lanes that sort a segment of class c: 1 to 32.
  static GPUSORT_HOST_DEVICE constexpr int lanes_of(int c) { return 1 << c; }
  static constexpr int max_in_warp = 32 * items_per_lane;

  // Segments that a block sorts, or, twice as long, with twice the threads; at most
  // block_blocks_resident blocks share a multiprocessor, and take one segment after the other.
  // Measured for u32, 2^26 items in segments of 1024 0.70 ms; of 2048 0.81, as pieces 1.27.
  using block_tile = bucket_tile<ElementBytes>;
  static constexpr int block_blocks_resident = 16;
  static constexpr int max_in_block = block_tile::threads_per_block * block_tile::items_per_thread;

  // Longer ones are quicksort's.
  using splitting = tuning::quicksort<ElementBytes>;

  static_assert(max_in_warp < max_in_block);
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

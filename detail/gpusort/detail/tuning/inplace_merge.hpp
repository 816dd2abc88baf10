// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of the merge in place for elements of one size.
template <std::size_t ElementBytes>
struct inplace_merge {
  // Elements that merge sort has tiles for go through them; larger ones are swapped where they are
  // until nothing is left to merge.
  static constexpr bool in_tiles = ElementBytes <= 128;

  // Without tiles a block works on few elements at a time, and its barriers are what it waits for.
  static constexpr int threads_without_tiles = 64;

  // Searches wait for memory and nothing else: many small blocks are on many multiprocessors.
  static constexpr int split_threads = 32;

  // A swap is two loads and two stores; a thread has 64 bytes of loads in flight at least.
  static constexpr int swap_threads = 256;
  static constexpr int swaps_per_thread = ElementBytes <= 8 ? 4 : ElementBytes <= 16 ? 2 : 1;

  // The whole device halves segments until there are 2^log_segments sqrt(n) of them; then each is
  // one block's. Scratch holds 8 bytes for each. With 4 sqrt(n), segments of 4-byte elements get
  // down to one tile up to 2^28 elements.
  static constexpr int log_segments = 2;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

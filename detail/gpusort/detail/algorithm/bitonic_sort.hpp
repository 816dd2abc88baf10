// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/bitonic_sort.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/tuning/bitonic_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Bitonic sort with an opaque comparator, in place: what is left when there is no scratch.
///
/// Not stable; deterministic. A permutation for any comparator: it only swaps, and one thread
/// decides about a pair. Any n, by virtual padding; any element size. O(n log^2 n) comparisons. No
/// scratch. Launches: at most log2(n) (log2(n) + 1) / 2 for n > 2, and far fewer, as tiles are
/// sorted and merged by one kernel and several steps are done at once. No synchronization;
/// capturable. Source: paper 004, chapter 3.
template <class Array, class Compare>
class bitonic_sort {
 public:
  using element = typename Array::value_type;

  /// Sorts the n elements of `data`.
  static void run(cudaStream_t stream, Array data, std::uint64_t n, Compare compare) {
    launch(
        kernel::bitonic_sort_tiles_kernel<numbers::threads_per_block, tile_steps, Array, Compare>,
        tiles(n), numbers::threads_per_block, 0, stream, data, n, compare);
    for (int log_span = log_tile + 1; log_span <= ceil_log2(n); ++log_span) {
      steps<true>(stream, data, n, log_span, compare);
      for (int l = log_span - log_group; l > log_tile; l -= log_group) {
        steps<false>(stream, data, n, l, compare);
      }
      launch(kernel::bitonic_merge_tiles_kernel<numbers::threads_per_block, tile_steps, Array,
                                                Compare>,
             tiles(n), numbers::threads_per_block, 0, stream, data, n, compare);
    }
  }

  static int launches(std::uint64_t n) {
    int sum = n > 0 ? 1 : 0;
    for (int log_span = log_tile + 1; log_span <= ceil_log2(n); ++log_span) {
      sum += ceil_div(log_span - log_tile, int{log_group}) + 1;
    }
    return sum;
  }

 private:
  using numbers = tuning::bitonic_sort<sizeof(element)>;
  static constexpr int log_group = numbers::log_group;
  static constexpr int log_tile = ceil_log2(numbers::items_per_tile);

  static auto choose_tile() {
    if constexpr (numbers::in_registers) {
      return tile::bitonic_tile_in_shared_memory<element, numbers::threads_per_block,
                                                 numbers::items_per_thread, log_group>{};
    } else {
      return tile::bitonic_tile_in_place<numbers::threads_per_block, numbers::items_per_tile>{};
    }
  }
  using tile_steps = decltype(choose_tile());
  static_assert(sizeof(typename tile_steps::storage) <= 48 * 1024, "static shared memory");

  static std::uint64_t tiles(std::uint64_t n) {
    return ceil_div<std::uint64_t>(n, numbers::items_per_tile);
  }

  /// log_group steps at once, on spans of 2^log_span and smaller. The last of them may be steps
  /// inside a tile, which the tile's merge repeats without effect.
  template <bool Mirrored>
  static void steps(cudaStream_t stream, Array data, std::uint64_t n, int log_span,
                    Compare compare) {
    const std::uint64_t spans = ceil_div(n, std::uint64_t{1} << log_span);
    const std::uint64_t groups = spans << (log_span - log_group);
    launch(kernel::bitonic_steps_kernel<numbers::step_threads, log_group, Mirrored,
                                        numbers::in_registers, Array, Compare>,
           ceil_div<std::uint64_t>(groups, numbers::step_threads), numbers::step_threads, 0, stream,
           data, n, groups, log_span, compare);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

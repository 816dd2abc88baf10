// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/bitonic_sort.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tile/bitonic_merge.hpp>
#include <gpusort/detail/tuning/bitonic_sort.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// What a network is made of: how a block sorts a tile and ends a merge in it, and what a thread
// does in a launch of log_group steps.

/// Moves elements through registers and shared memory.
template <class T, class Tuning = tuning::bitonic_sort<sizeof(T)>>
struct network_in_registers {
  using tuning = Tuning;
  using sort_tile = tile::tile_sort_in_shared_memory<T, tuning::sort_threads,
                                                     tuning::items_per_tile / tuning::sort_threads>;
  using merge_tile = tile::tile_merge_in_shared_memory<T, tuning::merge_threads,
                                                       tuning::items_per_tile, tuning::log_group>;
  using steps = tile::steps_in_registers<T>;
};

/// Compares and swaps elements where they are.
template <class Tuning>
struct network_in_place {
  using tuning = Tuning;
  using sort_tile = tile::tile_sort_in_place<tuning::sort_threads, tuning::items_per_tile>;
  using merge_tile = tile::tile_merge_in_place<tuning::merge_threads, tuning::items_per_tile>;
  using steps = tile::steps_in_place;
};

/// Serves what only a lack of memory asks for: a twentieth of the code, and a launch for each step.
struct network_of_single_steps {
  using tuning = detail::tuning::single_steps;
  using steps = tile::steps_in_place;
};

template <class T, class Tuning = tuning::bitonic_sort<sizeof(T)>>
using network_of = std::conditional_t<Tuning::in_registers, network_in_registers<T, Tuning>,
                                      network_in_place<Tuning>>;

/// Bitonic sort with an opaque comparator, in place: what is left when there is no scratch.
///
/// Not stable; deterministic. A permutation for any comparator: it only swaps, and one thread
/// decides about a pair. Any n, by virtual padding; any element size. O(n log^2 n) comparisons. No
/// scratch. Launches: at most log2(n) (log2(n) + 1) / 2 for n > 2, and far fewer where tiles are
/// sorted and merged by one kernel and several steps are done at once. No synchronization;
/// capturable. Source: paper 004, chapter 3.
template <class Array, class Compare, class Network = network_of<typename Array::value_type>>
class bitonic_sort {
 public:
  /// Sorts the n elements of `data`.
  static void run(cudaStream_t stream, Array data, std::uint64_t n, Compare compare) {
    if constexpr (has_tiles) tiles<typename Network::sort_tile>(stream, data, n, compare);
    for (int log_span = log_tile + 1; log_span <= ceil_log2(n); ++log_span) {
      steps<true>(stream, data, n, log_span, compare);
      for (int l = log_span - log_group; l > log_tile; l -= log_group) {
        steps<false>(stream, data, n, l, compare);
      }
      if constexpr (has_tiles) tiles<typename Network::merge_tile>(stream, data, n, compare);
    }
  }

  static int launches(std::uint64_t n) {
    int sum = has_tiles && n > 0 ? 1 : 0;
    for (int log_span = log_tile + 1; log_span <= ceil_log2(n); ++log_span) {
      sum += ceil_div(log_span - log_tile, int{log_group}) + (has_tiles ? 1 : 0);
    }
    return sum;
  }

 private:
  using tuning = typename Network::tuning;
  static constexpr int log_group = tuning::log_group;
  static constexpr int log_tile = ceil_log2(tuning::items_per_tile);
  static constexpr bool has_tiles = log_tile > 0;

  template <class Tile>
  static void tiles(cudaStream_t stream, Array data, std::uint64_t n, Compare compare) {
    using storage = typename Tile::storage;
    constexpr std::size_t shared_bytes = std::is_empty_v<storage> ? 0 : sizeof(storage);
    static_assert(Tile::items_per_tile == tuning::items_per_tile, "tiles are those of the steps");
    static_assert(sizeof(storage) <= shared_memory_per_block(), "a tile is too large");
    launch(kernel::bitonic_tiles_kernel<Tile, Array, Compare>,
           ceil_div<std::uint64_t>(n, tuning::items_per_tile), Tile::threads_per_block,
           shared_bytes, stream, data, n, compare);
  }

  /// Makes log_group steps at once, on spans of 2^log_span and smaller. The last of them may be
  /// steps inside a tile, which the tile's merge repeats without effect.
  template <bool Mirrored>
  static void steps(cudaStream_t stream, Array data, std::uint64_t n, int log_span,
                    Compare compare) {
    const std::uint64_t spans = ceil_div(n, std::uint64_t{1} << log_span);
    const std::uint64_t groups = spans << (log_span - log_group);
    launch(kernel::bitonic_steps_kernel<tuning::step_threads, log_group, Mirrored,
                                        typename Network::steps, Array, Compare>,
           ceil_div<std::uint64_t>(groups, tuning::step_threads), tuning::step_threads, 0, stream,
           data, n, groups, log_span, compare);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/kernel/quicksort_partition.hpp>
#include <gpusort/detail/kernel/quicksort_pieces.hpp>
#include <gpusort/detail/kernel/quicksort_plan.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tuning/quicksort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Quicksort. Phase one halves sequences level by level, many blocks at each, between the output
/// and as many spare elements; what is short enough is sorted in phase two, by one block in shared
/// memory. Work lists stay on the device.
///
/// An input that is in order already, or strictly in the opposite order, is recognised, and left
/// alone or turned round.
///
/// Not stable. A permutation for any comparator. O(n log n) comparisons for any input: levels and
/// splits are bounded, and what they do not suffice for is merge sorted, by all blocks together.
/// Scratch: n elements, and some 3% of it at most. Launches: two, and two for each level, of which
/// there are 5/4 log2(n / piece) + 3. No synchronization; capturable.
///
/// Tuning: tests have others, so that bounds are met.
/// Source: paper 000; paper 004, sections 4.3 and 4.4 (regrouping in shared memory, sides that take
/// turns). Sampled pivots, the bounds, and how repeated keys end are ours.
template <class Array, class Compare,
          class Tuning = tuning::quicksort<sizeof(typename Array::value_type)>>
class quicksort {
 public:
  using element = typename Array::value_type;

  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  /// Sorts the n > 0 elements of `in` into `out`, which may be the same array.
  template <class In>
  static void run(const call_stream& stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* scratch) {
    layout parts(n, scratch);
    parts.state.sample_seed = stream.seed().bits;
    const kernel::quicksort_state<element>& state = parts.state;
    launch(kernel::begin_quicksort_kernel<Tuning, In, element, Compare>, 1 + state.probe.blocks,
           Tuning::plan_threads_per_block, 0, stream, in, n, state, compare);
    for (int level = 0; level < state.last_level; ++level) {
      if (level == 0) {
        partition(stream, in, parts.spare, state, level, n, compare);
      } else if (level % 2 == 1) {
        partition(stream, parts.spare, out, state, level, n, compare);
      } else {
        partition(stream, out, parts.spare, state, level, n, compare);
      }
    }
    sort_pieces(stream, kernel::quicksort_arrays<In, Array>{in, parts.spare, out}, state, n,
                compare);
  }

 private:
  using piece_sorter =
      tile::block_quicksort<element, Tuning::piece_threads_per_block, Tuning::piece_items_per_lane,
                            Tuning::piece_batch_per_lane, Tuning::piece_items,
                            Tuning::piece_levels>;
  using partition_storage = kernel::partition_storage<Tuning, element>;
  static_assert(sizeof(typename piece_sorter::storage) <= shared_memory_per_block());
  static_assert(sizeof(partition_storage) <= shared_memory_per_block());

  /// Bounds the sequences of a level, which are disjoint and longer than a piece.
  static std::uint64_t max_sequences(std::uint64_t n) { return n / Tuning::piece_items + 1; }
  static std::uint64_t max_tiles(std::uint64_t n) {
    return n / Tuning::items_per_tile + max_sequences(n);
  }
  /// Bounds the number of pieces: each split makes one more; finished ones are cut up.
  static std::uint64_t max_pieces(std::uint64_t n) {
    return Tuning::splits(n) + 1 + n / Tuning::piece_items;
  }

  struct layout {
    Array spare;
    kernel::quicksort_state<element> state{};
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      state.last_level = Tuning::levels(n);
      state.max_splits = Tuning::splits(n);
      state.probe.blocks = state.last_level > 0 ? probe_blocks(n) : 0;
      spare = Array::in_scratch(cursor, n);
      for (int side = 0; side < 2; ++side) {
        state.sequences[side] = cursor.take<kernel::quicksort_sequence<element>>(max_sequences(n));
        state.tiles[side] = cursor.take<std::uint32_t>(max_tiles(n));
      }
      state.levels = cursor.take<kernel::quicksort_level>(state.last_level + 1);
      state.pieces = cursor.take<kernel::quicksort_piece>(max_pieces(n));
      state.totals = cursor.take<kernel::quicksort_totals>(1);
      state.longer = kernel::long_ranges::in_scratch<typename piece_sorter::merge_sorter>(
          cursor, n, piece_sorter::max_items, cursor.take<kernel::long_range_totals>(1));
      state.probe.violations = cursor.take<std::uint32_t>(state.probe.blocks);
      state.probe.all = cursor.take<std::uint32_t>(1);
      bytes = cursor.used();
    }
  };

  /// Returns as many blocks as read the input at full bandwidth where it is in order.
  static int probe_blocks(std::uint64_t n) {
    const int most = 8 * current_device_properties().multiprocessors;
    return static_cast<int>(std::min<std::uint64_t>(most, ceil_div<std::uint64_t>(n, 4096)));
  }

  template <class From>
  static void partition(cudaStream_t stream, From from, Array to,
                        const kernel::quicksort_state<element>& state, int level, std::uint64_t n,
                        Compare compare) {
    const int multiprocessors = current_device_properties().multiprocessors;
    const std::uint64_t most_blocks = std::uint64_t{Tuning::blocks_resident} * multiprocessors;
    const std::uint64_t sequences =
        level < 32 ? (std::min)(max_sequences(n), std::uint64_t{1} << level) : max_sequences(n);
    launch_early(kernel::partition_kernel<Tuning, From, Array, element, Compare>,
                 (std::min)(most_blocks, n / Tuning::items_per_tile + sequences),
                 Tuning::threads_per_block, sizeof(partition_storage), stream, from, to, state,
                 level, compare);
    constexpr int warps = Tuning::plan_threads_per_block / tile::warp_size;
    launch_early(
        kernel::plan_parts_kernel<Tuning, Array, element, Compare>,
        std::min<std::uint64_t>(4 * multiprocessors, ceil_div<std::uint64_t>(2 * sequences, warps)),
        Tuning::plan_threads_per_block, 0, stream, to, state, level, compare);
  }

  template <class In>
  static void sort_pieces(cudaStream_t stream, const kernel::quicksort_arrays<In, Array>& arrays,
                          const kernel::quicksort_state<element>& state, std::uint64_t n,
                          Compare compare) {
    const std::uint64_t most_blocks =
        std::uint64_t{Tuning::piece_blocks_resident} * current_device_properties().multiprocessors;
    launch_early(kernel::sort_pieces_kernel<Tuning, piece_sorter, In, Array, element, Compare>,
                 (std::min)(most_blocks, max_pieces(n)), Tuning::piece_threads_per_block,
                 sizeof(typename piece_sorter::storage), stream, arrays, n, state, compare);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

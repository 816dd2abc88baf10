// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/algorithm/by_generation.hpp>
#include <gpusort/detail/kernel/segmented_large.hpp>
#include <gpusort/detail/kernel/segmented_small.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tuning/segmented_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sorts many segments of an array, in place. Segments are listed by length: what registers hold is
/// sorted by a warp or a part of one, what a tile holds by a block, what two of quicksort's tiles
/// hold is a piece of its phase two, and all that is longer is split by its phase one together. The
/// lists stay on the device.
///
/// Not stable. A permutation of each segment for any comparator; bounds are quicksort's. Where a
/// segment ends before it begins, or after the next one begins, nothing is sorted; offsets outside
/// [0, n] mean its ends. Scratch: 8 bytes on each of 8 lists for each segment, but no more than 10
/// for each element, and, where n is more than a block sorts, n elements and some 6% of it at most.
/// Launches: 6 at most, and one that clears counters; 3 of them only where n is more than a block
/// sorts. No synchronization; capturable. Source: paper 000 (many blocks for a long sequence, one
/// for a short one).
template <class Array, class Compare, tuning::architecture Arch = tuning::architecture::every>
class segmented_sort {
 public:
  using element = typename Array::value_type;

  static std::size_t scratch_bytes(std::uint64_t n, std::uint64_t k) {
    return layout(n, k, nullptr).bytes;
  }

  /// Sorts segments; n and k are not 0.
  template <class Offset>
  static void run(const call_stream& stream, Array data, std::uint64_t n,
                  const segment_offsets<Offset>& offsets, Compare compare, void* scratch) {
    const std::uint64_t k = offsets.k;
    layout parts(n, k, scratch);
    parts.state.sample_seed = stream.seed().bits;
    constexpr int list_threads = tuning::list_threads_per_block;
    check(cudaMemsetAsync(parts.counters, 0, parts.counter_bytes, stream), "clearing counters");
    launch(kernel::list_segments_kernel<list_threads, Offset>,
           ceil_div<std::uint64_t>(k, list_threads), list_threads, 0, stream, offsets, n,
           parts.lists);
    constexpr int warps = tuning::small_threads_per_block / tile::warp_size;
    launch_early(kernel::sort_small_segments_kernel<Arch, tuning, Array, Compare>,
                 std::min<std::uint64_t>(tuning::small_blocks_resident * multiprocessors(),
                                         ceil_div<std::uint64_t>(most_of(n, k, 2), warps)),
                 tuning::small_threads_per_block, 0, stream, data, parts.lists, compare);
    sort_by_blocks(stream, data, kernel::in_block, block_threads, parts.lists,
                   most_of(n, k, tuning::max_in_warp + 1), compare);
    if (n > tuning::max_in_block && has_wide_blocks) {
      sort_by_blocks(stream, data, kernel::in_wide_block, 2 * block_threads, parts.lists,
                     most_of(n, k, tuning::max_in_block + 1), compare);
    }
    if (n > max_in_blocks) run_quicksort(stream, data, parts, compare);
  }

 private:
  using tuning = detail::tuning::segmented_sort<sizeof(element), Arch>;
  using splitting = typename tuning::splitting;
  static constexpr int block_threads = tuning::block_tile::threads_per_block;
  static constexpr int block_items = tuning::block_tile::items_per_thread;
  // Proxmap sort takes a fixed number of threads, and some blocks have no shared memory for
  // twice as many large elements.
  static constexpr bool has_wide_blocks =
      !kernel::segment_sort<tile::block_merge_sort<element, block_threads, block_items, false>,
                            element, Compare>::of_numbers &&
      sizeof(typename tile::block_merge_sort<element, 2 * block_threads, block_items,
                                             false>::storage) <=
          detail::tuning::shared_memory_of(Arch);
  static constexpr int max_in_blocks = (has_wide_blocks ? 2 : 1) * tuning::max_in_block;
  using block_sorter = tile::block_merge_sort<element, (has_wide_blocks ? 2 : 1) * block_threads,
                                              block_items, false>;
  using block_storage = typename kernel::segment_sort<block_sorter, element, Compare>::storage;
  using piece_sorter =
      tile::block_quicksort<element, splitting::piece_threads_per_block,
                            splitting::piece_items_per_lane, splitting::piece_batch_per_lane,
                            splitting::piece_items, splitting::piece_levels>;
  using partition_storage = kernel::partition_storage<splitting, element>;
  static_assert(sizeof(block_storage) <= detail::tuning::shared_memory_of(Arch));
  static_assert(sizeof(typename piece_sorter::storage) <= detail::tuning::shared_memory_of(Arch));
  static_assert(sizeof(partition_storage) <= detail::tuning::shared_memory_of(Arch));
  static_assert(max_in_blocks < 1 << kernel::segment_lists::count_bits);

  // A tile holds more of large elements.
  static constexpr int max_piece = std::max<int>(splitting::piece_items, max_in_blocks);
  static_assert(splitting::piece_items == piece_sorter::max_items,
                "what is longer than a piece is split, or long");

  static std::uint32_t limit_of(int c) {
    return c == kernel::in_wide_block ? max_in_blocks
           : c == kernel::in_block    ? tuning::max_in_block
                                      : tuning::lanes_of(c) * tuning::items_per_lane;
  }

  static std::uint64_t multiprocessors() { return current_device_properties().multiprocessors; }

  /// Returns the most segments of at least `elements` elements.
  static std::uint64_t most_of(std::uint64_t n, std::uint64_t k, std::uint64_t elements) {
    return (std::min)(k, n / elements);
  }

  struct layout {
    Array spare{};
    kernel::segment_lists lists{};
    kernel::quicksort_state<element> state{};
    unsigned char* counters;
    std::size_t counter_bytes;
    std::size_t bytes;

    layout(std::uint64_t n, std::uint64_t k, void* scratch) {
      scratch_cursor cursor(scratch);
      const bool has_large = n > max_in_blocks;
      if (has_large) spare = Array::in_scratch(cursor, n);
      counters = cursor.take<unsigned char>(0);
      const std::size_t before = cursor.used();
      lists.totals = cursor.take<kernel::segment_totals>(1);
      state.totals = cursor.take<kernel::quicksort_totals>(1);
      auto* const long_totals = cursor.take<kernel::long_range_totals>(1);
      state.last_level = splitting::levels(n);
      state.levels = cursor.take<kernel::quicksort_level>(state.last_level + 1);
      counter_bytes = cursor.used() - before;
      std::uint64_t longer = 2;  // than those of the classes before
      for (int c = 0; c < kernel::as_piece; ++c) {
        lists.room[c] = longer > limit_of(c) ? 0 : most_of(n, k, longer);
        lists.words[c] = cursor.take<std::uint64_t>(lists.room[c]);
        lists.limits[c] = limit_of(c);
        longer = lists.limits[c] + std::uint64_t{1};
      }
      lists.limits[kernel::as_piece] = max_piece;
      lists.room[kernel::as_piece] = most_of(n, k, max_in_blocks + 1);
      lists.room[kernel::as_sequence] = most_of(n, k, max_piece + 1);
      if (has_large) {
        add_quicksort(cursor, n);
        state.longer = kernel::long_ranges::in_scratch<typename piece_sorter::merge_sorter>(
            cursor, n, piece_sorter::max_items, long_totals);
      }
      bytes = cursor.used();
    }

    void add_quicksort(scratch_cursor& cursor, std::uint64_t n) {
      // Sequences of a level are disjoint, and longer than a piece.
      const std::uint64_t sequences = n / splitting::piece_items + 1;
      state.max_splits = splitting::splits(n);
      for (int side = 0; side < 2; ++side) {
        state.sequences[side] = cursor.take<kernel::quicksort_sequence<element>>(sequences);
        state.tiles[side] = cursor.take<std::uint32_t>(n / splitting::items_per_tile + sequences);
      }
      lists.sequences = cursor.take<kernel::quicksort_part>(lists.room[kernel::as_sequence]);
      // Segments, one more for each split, and finished ones cut up.
      state.pieces = cursor.take<kernel::quicksort_piece>(
          lists.room[kernel::as_piece] + state.max_splits + n / splitting::piece_items);
      lists.pieces = state.pieces;
      lists.piece_totals = state.totals;
    }
  };

  /// Sorts segments by blocks: where blocks have fewer threads than the sorter may have, segments
  /// are as much shorter.
  static void sort_by_blocks(cudaStream_t stream, Array data, int c, int threads,
                             const kernel::segment_lists& lists, std::uint64_t most,
                             Compare compare) {
    std::size_t bytes = sizeof(block_storage);
    if constexpr (has_wide_blocks) {
      using items = typename block_sorter::items;
      bytes -= sizeof(items) - items::bytes(threads * block_items);
    }
    const std::uint64_t resident =
        multiprocessors() * tuning::block_blocks_resident * block_threads / threads;
    launch_early(kernel::sort_block_segments_kernel<Arch, block_sorter, Array, Compare>,
                 (std::min)(resident, most), threads, {bytes, sizeof(block_storage)}, stream, data,
                 lists, c, compare);
  }

  static void run_quicksort(cudaStream_t stream, Array data, const layout& parts, Compare compare) {
    if (parts.state.last_level > 0) {
      launch_cooperatively_at_most(
          kernel::split_segments_kernel<splitting, Array, element, Compare>,
          std::uint64_t{1} * cooperating_multiprocessors() *
              most_blocks_per_multiprocessor(splitting::threads_per_block,
                                             sizeof(partition_storage), splitting::blocks_resident),
          splitting::threads_per_block, sizeof(partition_storage), stream, data, parts.spare,
          parts.lists, parts.state, compare);
    }
    launch(kernel::sort_segment_pieces_kernel<splitting, piece_sorter, Array, element, Compare>,
           splitting::piece_blocks_resident * multiprocessors(), splitting::piece_threads_per_block,
           sizeof(typename piece_sorter::storage), stream, data, parts.spare, parts.lists,
           parts.state, compare);
  }
};

template <class Array, class Compare>
struct segmented_sorts {
  template <tuning::architecture Arch>
  using on = segmented_sort<Array, Compare, Arch>;
};
template <class Array, class Compare>
using tuned_segmented_sort = by_generation<segmented_sorts<Array, Compare>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/merge_sort.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tuning/merge_sort.hpp>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Merge sort with an opaque comparator: tiles are sorted, then sorted runs are merged in pairs,
/// each pass doubling them. The work of a pass is cut evenly: one block for each tile of the
/// output.
///
/// Stable, and so deterministic. A permutation for any comparator: a cut between two blocks is
/// found once and read by both. O(n log n) comparisons for any input. Scratch: n elements and 8
/// bytes per tile, none up to one tile. Launches: 1, and for the pass that merges runs of r tiles
/// 1 + ceil(log2(2 r) / 9); ceil(log2(tiles)) passes. No synchronization; capturable.
/// Source: paper 003, sections 5.2 and 5.4; cuts published and checked are ours.
template <class Array, class Compare>
class merge_sort {
 public:
  using element = typename Array::value_type;

  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  static int launches(std::uint64_t n) {
    int sum = n > 0 ? 1 : 0;
    for (int pass = 0; pass < passes(n); ++pass) sum += levels(pass + 1) + 1;
    return sum;
  }

  static int passes(std::uint64_t n) { return ceil_log2(tiles(n)); }

  /// Sorts the n elements of `in` into `out`: the same array, or one that does not overlap it.
  template <class In>
  static void run(cudaStream_t stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* scratch) {
    const layout parts(n, scratch);
    Array from = out, to = parts.elements;
    if (passes(n) % 2 != 0) std::swap(from, to);  // each pass changes sides; the last ends in `out`
    launch(kernel::merge_sort_tiles_kernel<sorter, In, Array, Compare>, tiles(n),
           sorter::threads_per_block, 0, stream, in, from, n, compare);
    for (int p = 0; p < passes(n); ++p) {
      const kernel::merge_pass pass{n, std::uint64_t{sorter::items_per_tile} << p, parts.cuts};
      find_cuts(stream, from, pass, p + 1, compare);
      launch(kernel::merge_sort_merge_kernel<sorter, Array, Compare>, tiles(n),
             sorter::threads_per_block, 0, stream, from, to, pass, compare);
      std::swap(from, to);
    }
  }

 private:
  using numbers = tuning::merge_sort<sizeof(element)>;
  using sorter =
      tile::block_sort<element, numbers::threads_per_block, numbers::items_per_thread, true>;
  static_assert(sizeof(typename sorter::storage) <= 48 * 1024, "static shared memory");

  static std::uint64_t tiles(std::uint64_t n) {
    return ceil_div<std::uint64_t>(n, sorter::items_per_tile);
  }

  /// Levels of splits between the ends of a pair of 2^log_tiles tiles.
  static int levels(int log_tiles) { return ceil_div(log_tiles, int{numbers::log_split}); }

  struct layout {
    Array elements{};
    std::uint64_t* cuts = nullptr;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      if (passes(n) > 0) {
        elements = Array::in_scratch(cursor, n);
        cuts = cursor.take<std::uint64_t>(tiles(n));
      }
      bytes = cursor.used();
    }
  };

  /// The cuts at the tiles of a pass over pairs of 2^log_known tiles, coarse ones first. Levels are
  /// equally wide, so that the coarse searches, which only few threads make, are few.
  static void find_cuts(cudaStream_t stream, Array from, const kernel::merge_pass& pass,
                        int log_known, Compare compare) {
    constexpr std::uint64_t tile = sorter::items_per_tile;
    for (int level = levels(log_known); level > 0; --level) {
      const int log_wanted = log_known - ceil_div(log_known, level);
      const std::uint64_t cuts = ceil_div<std::uint64_t>(pass.n, tile << log_wanted);
      launch(kernel::merge_sort_split_kernel<numbers::split_threads, sorter::items_per_tile, Array,
                                             Compare>,
             ceil_div<std::uint64_t>(cuts, numbers::split_threads), numbers::split_threads, 0,
             stream, from, pass, tile << log_known, tile << log_wanted, compare);
      log_known = log_wanted;
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

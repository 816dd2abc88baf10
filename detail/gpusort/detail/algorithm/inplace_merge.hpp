// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/inplace_merge.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tuning/inplace_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Merges two neighbouring sorted runs of one array where they are: the runs are cut at the middle
/// of their merged order and what lies between the cuts is rotated, so that each half of the array
/// is two such runs again, until these fit a tile, which is merged in shared memory. Elements too
/// large for tiles are cut down to single ones.
///
/// Stable, and so deterministic. A permutation for any comparator: it only swaps, and one thread
/// decides about a cut. Any element size. O(n) comparisons, O(n log n) moves. Scratch: at most 32
/// sqrt(n) + 264 bytes. Launches: at most 1.5 log2(n) + 9; none if a run is empty. No
/// synchronization; capturable.
/// Source: SymMerge (Kim and Kutzner, ESA 2004); cutting by merge path into equal halves, and
/// levels of disjoint swaps in place of recursion, are ours.
template <class Array, class Compare>
class inplace_merge {
 public:
  using element = typename Array::value_type;

  static std::size_t scratch_bytes(std::uint64_t n) { return layout(n, nullptr).bytes; }

  static int launches(std::uint64_t n) { return n > 1 ? 3 * levels(n) + 1 : 0; }

  /// Merges data[0, middle) and data[middle, n).
  static void run(cudaStream_t stream, Array data, std::uint64_t middle, std::uint64_t n,
                  Compare compare, void* scratch) {
    if (middle == 0 || middle == n) return;
    kernel::inplace_merge_level level{n, middle, layout(n, scratch).a_counts,
                                      log_finest(n) + levels(n), log_finest(n)};
    for (; level.log_segment > level.log_finest; --level.log_segment) {
      halve(stream, data, level, compare);
    }
    launch(kernel::inplace_merge_finish_kernel<elements, Array, Compare>, segments(level),
           elements::threads_per_block, 0, stream, data, level, compare);
  }

 private:
  using tuning = detail::tuning::inplace_merge<sizeof(element)>;

  static auto choose_elements() {
    if constexpr (tuning::in_tiles) {
      return tile::inplace_merge_in_tiles<element, tuning::threads_per_block,
                                          tuning::items_per_thread>{};
    } else {
      return tile::inplace_merge_without_tiles<tuning::threads_without_tiles>{};
    }
  }
  using elements = decltype(choose_elements());
  static_assert(sizeof(tile::inplace_merge_storage<elements>) <= 48 * 1024, "static shared memory");

  /// Returns log2 of the elements of a segment that one block finishes: a tile, or as many as leave
  /// 2^log_segments sqrt(n) of them.
  static int log_finest(std::uint64_t n) {
    const int log_few = (ceil_log2(n) + 1) / 2 - tuning::log_segments;
    const int log_tile = ceil_log2(elements::items_per_tile);
    return log_few > log_tile ? log_few : log_tile;
  }

  /// Returns how often the whole device halves the segments.
  static int levels(std::uint64_t n) {
    const int levels = ceil_log2(n) - log_finest(n);
    return levels > 0 ? levels : 0;
  }

  static std::uint64_t segments(const kernel::inplace_merge_level& level) {
    return ceil_div(level.n, std::uint64_t{1} << level.log_segment);
  }

  struct layout {
    std::uint64_t* a_counts = nullptr;
    std::size_t bytes;

    layout(std::uint64_t n, void* scratch) {
      scratch_cursor cursor(scratch);
      if (levels(n) > 0) {
        a_counts = cursor.take<std::uint64_t>(ceil_div(n, std::uint64_t{1} << log_finest(n)));
      }
      bytes = cursor.used();
    }
  };

  static void halve(cudaStream_t stream, Array data, const kernel::inplace_merge_level& level,
                    Compare compare) {
    launch(kernel::inplace_merge_split_kernel<tuning::split_threads, elements, Array, Compare>,
           ceil_div<std::uint64_t>(segments(level), tuning::split_threads), tuning::split_threads,
           0, stream, data, level, compare);
    rotate<true>(stream, data, level);
    rotate<false>(stream, data, level);
  }

  template <bool Parts>
  static void rotate(cudaStream_t stream, Array data, const kernel::inplace_merge_level& level) {
    const int log_half = level.log_segment - 1;
    const int log_swaps = min_of(log_half, int{tuning::log_swaps});
    launch(kernel::inplace_merge_rotate_kernel<tuning::swap_threads, Parts, Array>,
           segments(level) << (log_half - log_swaps), tuning::swap_threads, 0, stream, data, level,
           log_swaps);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

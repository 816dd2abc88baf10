// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/multiway_merge.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tuning/multiway_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One pass of multiway merging: the groups of `Runs` (kernel/multiway_merge.hpp) into `Out`. Tiles
/// of the output are cut out of all runs, equally many elements each, and merged by a block each.
/// Three launches, for a single tile one. Source: paper 003, section 5.1.
template <class Runs, class Out, class Compare, bool Stable>
struct merge_pass {
  using element = typename Out::value_type;
  using numbers = tuning::multiway_merge<sizeof(element)>;
  using merger = tile::multiway_merge<typename Runs::array, numbers::threads_per_block,
                                      numbers::items_per_thread, numbers::max_ways, Stable>;

  static constexpr std::uint64_t items_per_tile(int ways) { return merger::items_per_tile(ways); }

  static kernel::merge_cuts cuts_in(scratch_cursor& cursor, std::uint64_t tiles, int ways) {
    if (tiles < 2) return {tiles, items_per_tile(ways), ways, nullptr, nullptr};
    auto* const places = cursor.take<std::uint64_t>(tiles * ways);
    return {tiles, items_per_tile(ways), ways, places, cursor.take<int>(1)};
  }

  static void run(cudaStream_t stream, const Runs& runs, const kernel::merge_cuts& cuts, Out out,
                  Compare compare) {
    if (cuts.tiles > 1) {
      constexpr int threads = numbers::select_threads;
      launch(kernel::multiway_select_kernel<threads, merger::runs_per_lane, Runs, Compare>,
             ceil_div<std::uint64_t>(cuts.tiles, threads / 32), threads, 0, stream, runs, cuts,
             compare);
      launch(kernel::check_cuts_kernel<numbers::check_threads, Runs>,
             ceil_div<std::uint64_t>(cuts.tiles * cuts.stride, numbers::check_threads),
             numbers::check_threads, 0, stream, runs, cuts);
    }
    launch(kernel::multiway_merge_kernel<merger, Runs, Out, Compare>, cuts.tiles,
           merger::threads_per_block, sizeof(typename merger::storage), stream, runs, cuts, out,
           compare);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/merge_sort.hpp>
#include <gpusort/detail/kernel/multiway_merge.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tuning/multiway_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Notes cuts that are not monotone.
template <class Groups>
void check_cuts(cudaStream_t stream, const Groups& groups, const kernel::merge_cuts& cuts);

template <class Groups>
void check_cuts(cudaStream_t stream, const Groups& groups, const kernel::merge_cuts& cuts) {
  constexpr int threads = 256;
  launch(kernel::check_cuts_kernel<threads, Groups>,
         ceil_div<std::uint64_t>(cuts.tiles * cuts.stride, threads), threads, 0, stream, groups,
         cuts);
}

#define GPUSORT_DETAIL_CHECK_CUTS(declare, groups) \
  declare template void check_cuts<groups>(cudaStream_t, const groups&, const kernel::merge_cuts&);
#if GPUSORT_HAS_LIBRARY
GPUSORT_DETAIL_CHECK_CUTS(extern, kernel::merge_sort_groups)
GPUSORT_DETAIL_CHECK_CUTS(extern, kernel::listed_groups)
#endif

}  // namespace GPUSORT_LINKED

/// One pass of multiway merging: the groups of `Runs` (kernel/multiway_merge.hpp) into `Out`. Tiles
/// of the output are cut out of all runs, equally many elements each, and merged by a block each.
/// At most four launches, for a single tile one. Source: paper 003, section 5.1.
template <class Runs, class Out, class Compare,
          class Tuning = tuning::multiway_merge<sizeof(typename Out::value_type)>>
struct merge_pass {
  using tuning = Tuning;

  static constexpr std::uint64_t items_per_tile(int ways) {
    return are_few(ways) ? few_merger::items_per_tile(ways) : merger::items_per_tile(ways);
  }

  static kernel::merge_cuts cuts_in(scratch_cursor& cursor, std::uint64_t tiles, int ways) {
    const std::uint32_t slack = are_few(ways) ? few_merger::slack : merger::slack;
    kernel::merge_cuts cuts{tiles, items_per_tile(ways), slack, ways, nullptr, nullptr, nullptr};
    if (tiles < 2) return cuts;
    cuts.counts = cursor.take<std::uint64_t>(tiles * ways);
    cuts.ranks = cursor.take<std::uint64_t>(tiles);
    cuts.is_non_monotone = cursor.take<int>(1);
    return cuts;
  }

  static void run(cudaStream_t stream, const Runs& runs, const kernel::merge_cuts& cuts, Out out,
                  Compare compare) {
    if (cuts.tiles > 1) {
      check(cudaMemsetAsync(cuts.is_non_monotone, 0, sizeof(int), stream), "clearing a flag");
      if constexpr (tuning::has_ways_to_cut) {
        constexpr std::uint64_t coarse = tuning::tiles_per_coarse_cut;
        const bool has_coarse = cuts.tiles >= tuning::min_tiles_for_coarse_cuts;
        if (has_coarse) {
          find_cuts<std::uint64_t, tile::warp_size>(stream, runs, cuts, coarse, all_tiles, compare);
        }
        find_all_cuts(stream, runs, cuts, has_coarse ? coarse : all_tiles, compare);
      } else {
        find_cuts<std::uint64_t, tile::warp_size>(stream, runs, cuts, 1, all_tiles, compare);
      }
      check_cuts<typename Runs::groups_only>(stream, runs, cuts);
    }
    if constexpr (tuning::max_few_ways > 0) {
      if (are_few(cuts.stride)) return merge_tiles<few_merger>(stream, runs, cuts, out, compare);
    }
    merge_tiles<merger>(stream, runs, cuts, out, compare);
  }

 private:
  template <int ThreadsPerBlock, int ItemsPerThread>
  using merger_of =
      tile::multiway_merge<typename Runs::array, ThreadsPerBlock, ItemsPerThread, tuning::max_ways>;
  using merger = merger_of<tuning::threads_per_block, tuning::items_per_thread>;
  using few_merger = merger_of<tuning::threads_per_block_of_few, tuning::items_per_thread_of_few>;
  static_assert(sizeof(typename merger::storage) <= detail::tuning::shared_memory_of(Tuning::arch));
  static_assert(sizeof(typename few_merger::storage) <=
                detail::tuning::shared_memory_of(Tuning::arch));

  static constexpr bool are_few(int ways) { return ways <= tuning::max_few_ways; }

  template <class Merger>
  static void merge_tiles(cudaStream_t stream, const Runs& runs, const kernel::merge_cuts& cuts,
                          Out out, const Compare& compare) {
    launch(kernel::multiway_merge_kernel<Tuning::arch, Merger, Runs, Out, Compare>, cuts.tiles,
           Merger::threads_per_block, sizeof(typename Merger::storage), stream, runs, cuts, out,
           compare);
  }

  static constexpr std::uint64_t all_tiles = ~std::uint64_t{0};

  /// Finds the cuts of all tiles; of few runs by parts of a warp.
  static void find_all_cuts(cudaStream_t stream, const Runs& runs, const kernel::merge_cuts& cuts,
                            std::uint64_t known, const Compare& compare) {
    constexpr int few = tuning::few_lanes, some = tuning::some_lanes;
    if (cuts.stride <= few) {
      find_cuts<std::uint32_t, few>(stream, runs, cuts, 1, known, compare);
    } else if (cuts.stride <= some) {
      find_cuts<std::uint32_t, some>(stream, runs, cuts, 1, known, compare);
    } else {
      find_cuts<std::uint32_t, tile::warp_size>(stream, runs, cuts, 1, known, compare);
    }
  }

  template <class Index, int Lanes>
  static void find_cuts(cudaStream_t stream, const Runs& runs, const kernel::merge_cuts& cuts,
                        std::uint64_t wanted, std::uint64_t known, const Compare& compare) {
    constexpr int threads = tuning::cut_threads;
    constexpr int runs_per_lane = Lanes < tile::warp_size ? 1 : merger::runs_per_lane;
    launch(kernel::multiway_cut_kernel<Index, threads, Lanes, runs_per_lane, Runs, Compare>,
           ceil_div<std::uint64_t>(cuts.tiles, threads / Lanes), threads, 0, stream, runs, cuts,
           wanted, known, compare);
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

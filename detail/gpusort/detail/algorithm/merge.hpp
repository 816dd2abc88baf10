// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/kernel/merge.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tile/block_serial_merge_sort.hpp>
#include <gpusort/detail/tuning/merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Merges two sorted runs. The output is cut into tiles, the cuts are found in both runs, and each
/// tile is merged by a block. The cuts of many tiles are found between those of pieces, which are
/// few enough for every block to see whether they fit each other. Stable, run a first. A
/// permutation of the runs for any comparator. Scratch: 8 bytes per tile and piece. Launches: 3,
/// for few tiles 2, for a single one 1. No synchronization; capturable. Source: merge path; paper
/// 003, sections 5.1 and 5.3.4.
template <class A, class B, class Out, class Compare,
          class Tuning = tuning::merge<sizeof(typename Out::value_type)>>
class merge {
 public:
  using element = typename Out::value_type;

  static std::size_t scratch_bytes(std::uint64_t a_count, std::uint64_t b_count) {
    scratch_cursor cursor(nullptr);
    cuts_of(a_count + b_count, cursor);
    return cursor.used();
  }

  static void run(cudaStream_t stream, A a, std::uint64_t a_count, B b, std::uint64_t b_count,
                  Out out, Compare compare, void* scratch) {
    scratch_cursor cursor(scratch);
    const pair runs{a, b, a_count, b_count};
    const cuts all = cuts_of(runs.n(), cursor);
    const std::uint64_t tiles = ceil_div(runs.n(), all.tiles.items);
    const bool has_pieces = all.pieces.items != 0;
    if (has_pieces) {
      const std::uint64_t pieces = find_cuts(stream, runs, all.pieces, compare);
      launch(kernel::cut_pieces_kernel<Tuning::cut_threads, Tuning::lanes_per_cut, pair, Compare>,
             pieces, Tuning::cut_threads, 0, stream, runs, all.pieces, all.tiles, compare);
    } else if (tiles > 1) {
      find_cuts(stream, runs, all.tiles, compare);
    }
    launch(kernel::merge_kernel<merger, pair, Out, Compare>, tiles, merger::threads_per_block, 0,
           stream, runs, all.tiles, has_pieces, out, compare);
  }

 private:
  using merger =
      tile::block_serial_merge_sort<element, Tuning::threads_per_block, Tuning::items_per_thread>;
  using pair = kernel::run_pair<A, B>;
  static_assert(sizeof(typename merger::storage) <= 48 * 1024, "static shared memory");

  /// Tells where tiles begin, and, where they are many, pieces: of 0 items where not.
  struct cuts {
    kernel::section_cuts tiles;
    kernel::section_cuts pieces;
  };

  static cuts cuts_of(std::uint64_t n, scratch_cursor& cursor) {
    const std::uint64_t tiles = ceil_div<std::uint64_t>(n, merger::items_per_tile);
    if (tiles <= 1) return {{nullptr, merger::items_per_tile}, {nullptr, 0}};
    cuts all{{cursor.take<std::uint64_t>(tiles), merger::items_per_tile}, {nullptr, 0}};
    if (tiles > Tuning::max_tiles_without_pieces) {
      const std::uint64_t per_piece = std::max<std::uint64_t>(
          Tuning::tiles_per_piece, ceil_div<std::uint64_t>(tiles, Tuning::max_pieces));
      all.pieces = {cursor.take<std::uint64_t>(ceil_div(tiles, per_piece)),
                    per_piece * merger::items_per_tile};
    }
    return all;
  }

  /// Finds the cuts of both runs, as many as it returns.
  static std::uint64_t find_cuts(cudaStream_t stream, const pair& runs,
                                 const kernel::section_cuts& parts, Compare compare) {
    const std::uint64_t count = ceil_div(runs.n(), parts.items);
    constexpr int threads = Tuning::cut_threads;
    launch(kernel::cut_runs_kernel<threads, pair, Compare>,
           ceil_div<std::uint64_t>(count, threads / tile::warp_size), threads, 0, stream, runs,
           parts, compare);
    return count;
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

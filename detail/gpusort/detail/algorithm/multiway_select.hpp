// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/write_table.hpp>
#include <gpusort/detail/kernel/multiway_select.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Finds for each of some ranks how many elements of each of k sorted runs are among the first
/// `rank` of their merged order; of equivalent elements those of lower runs come first. A warp for
/// each rank, none of which is beyond the runs. Whatever the comparator says, no cut is beyond
/// its run and they add up to the rank. Scratch: the runs, the ranks, and 24 bytes for each run and
/// rank. No synchronization; capturable. Source: paper 003, section 5.2.2.
template <class In, class Compare>
class multiway_select {
 public:
  static std::size_t scratch_bytes(std::size_t k, std::size_t ranks) {
    return layout(k, ranks, nullptr).bytes;
  }

  /// Writes cuts[r * k + i], in device memory: the number of elements of run i before ranks[r].
  static void run(cudaStream_t stream, const sorted_run<In>* runs, std::size_t k,
                  const std::uint64_t* ranks, std::size_t count, std::uint64_t* cuts,
                  Compare compare, void* scratch) {
    if (k == 0) return;
    const layout parts(k, count, scratch);
    write_table(stream, runs, k, parts.runs);
    write_table(stream, ranks, count, parts.ranks);
    launch(kernel::select_cuts_kernel<In, Compare>, count, tile::warp_size, 0, stream, parts.runs,
           static_cast<int>(k), parts.ranks, cuts, parts.bounds, compare);
  }

 private:
  struct layout {
    sorted_run<In>* runs;
    std::uint64_t* ranks;
    tile::selection_bounds<std::uint64_t>* bounds;
    std::size_t bytes;

    layout(std::size_t k, std::size_t count, void* scratch) {
      scratch_cursor cursor(scratch);
      runs = cursor.take<sorted_run<In>>(k);
      ranks = cursor.take<std::uint64_t>(count);
      bounds =
          cursor.take<tile::selection_bounds<std::uint64_t>>(round_up<std::size_t>(k, 32) * count);
      bytes = cursor.used();
    }
  };
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/merge.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <gpusort/detail/tile/chunk_sort.hpp>
#include <gpusort/detail/tuning/merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Merges two sorted runs. The output is cut into tiles, the cuts are found in both runs, and each
/// tile is merged by a block. Stable, run a first. A permutation of the runs for any
/// comparator. Scratch: 8 bytes per tile. Launches: 3, for a single tile 1. No synchronization;
/// capturable. Source: merge path; paper 003, sections 5.1 and 5.3.4.
template <class A, class B, class Out, class Compare>
class merge {
 public:
  using element = typename Out::value_type;

  static std::size_t scratch_bytes(std::uint64_t a_count, std::uint64_t b_count) {
    scratch_cursor cursor(nullptr);
    pair_of({}, a_count, {}, b_count, cursor);
    return cursor.used();
  }

  static void run(cudaStream_t stream, A a, std::uint64_t a_count, B b, std::uint64_t b_count,
                  Out out, Compare compare, void* scratch) {
    scratch_cursor cursor(scratch);
    const pair runs = pair_of(a, a_count, b, b_count, cursor);
    const std::uint64_t tiles = tiles_of(runs.n());
    constexpr int threads = numbers::split_threads;
    if (tiles > 1) {
      launch(kernel::merge_split_kernel<threads, pair, Compare>,
             ceil_div<std::uint64_t>(tiles, threads), threads, 0, stream, runs, compare);
      launch(kernel::check_splits_kernel<threads, pair>, ceil_div<std::uint64_t>(tiles, threads),
             threads, 0, stream, runs);
    }
    launch(kernel::merge_kernel<merger, pair, Out, Compare>, tiles, merger::threads_per_block, 0,
           stream, runs, out, compare);
  }

 private:
  using numbers = tuning::merge<sizeof(element)>;
  using merger = tile::chunk_sort<element, numbers::threads_per_block, numbers::items_per_thread>;
  using pair = kernel::run_pair<A, B>;
  static_assert(sizeof(typename merger::storage) <= 48 * 1024, "static shared memory");

  static std::uint64_t tiles_of(std::uint64_t n) {
    return ceil_div<std::uint64_t>(n, merger::items_per_tile);
  }

  static pair pair_of(A a, std::uint64_t a_count, B b, std::uint64_t b_count,
                      scratch_cursor& cursor) {
    auto* const from_a = cursor.take<std::uint64_t>(tiles_of(a_count + b_count));
    return {a, b, a_count, b_count, merger::items_per_tile, from_a, cursor.take<int>(1)};
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/by_generation.hpp>
#include <gpusort/detail/kernel/small_sort.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tuning/block_tiles.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One block sorts everything in shared memory: one launch, no scratch. Stable when asked to be, at
/// the price of more rounds of merging. A permutation for any comparator.
template <class Array, class Compare, bool Stable,
          tuning::architecture Arch = tuning::architecture::every>
class small_sort {
  using element = typename Array::value_type;
  using tuning = detail::tuning::large_tile<sizeof(element), Arch>;
  static constexpr int items_per_thread = tuning::items_per_thread;
  using sorter =
      tile::block_merge_sort<element, tuning::threads_per_block, items_per_thread, Stable>;
  static_assert(sizeof(typename sorter::storage) <= detail::tuning::shared_memory_of(Arch));

 public:
  static constexpr std::uint64_t max_n = sorter::items_per_tile;

  static std::size_t scratch_bytes(std::uint64_t) { return 0; }

  /// Sorts the n <= max_n elements of `in` into `out`, which may be the same array.
  template <class In>
  static void run(const call_stream& stream, In in, Array out, std::uint64_t n, Compare compare,
                  void* = nullptr) {
    const int items = static_cast<int>(n);
    // No more warps than have items: idle ones would only slow the barriers.
    const int threads = round_up(ceil_div(items, items_per_thread), tile::warp_size);
    launch(kernel::small_sort_kernel<Arch, sorter, In, Array, Compare>, 1, threads,
           sizeof(typename sorter::storage), stream, in, out, items, compare,
           stream.completion_words(1));
  }
};

template <class Array, class Compare, bool Stable>
struct small_sorts {
  template <tuning::architecture Arch>
  using on = small_sort<Array, Compare, Stable, Arch>;
};
template <class Array, class Compare, bool Stable>
using tuned_small_sort = by_generation<small_sorts<Array, Compare, Stable>>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

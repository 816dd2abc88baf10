// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/small_sort.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/shared_memory.hpp>
#include <gpusort/detail/tuning/block_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One block sorts everything in shared memory: one launch, no scratch. Stable when asked to be, at
/// the price of more rounds of merging. A permutation for any comparator.
template <class Array, class Compare, bool Stable>
class small_sort {
  using element = typename Array::value_type;
  using numbers = tuning::large_tile<sizeof(element)>;
  static constexpr int items_per_thread = numbers::items_per_thread;
  using sorter = tile::block_sort<element, numbers::threads_per_block, items_per_thread, Stable>;

  // Numbers by their size.
  static constexpr bool of_numbers = !Stable && is_arithmetic_key_v<element> &&
                                     sizeof(element) <= 8 && tile::may_be_numbers<element, Compare>;
  using number_tile = tuning::small_number_tile;
  using number_sorter = tile::block_sort<element, number_tile::threads_per_block,
                                         number_tile::items_per_thread, false>;

 public:
  static constexpr std::uint64_t max_n = sorter::items_per_tile;

  /// Sorts the n <= max_n elements of `in` into `out`, which may be the same array.
  template <class In>
  static void run(const call_stream& stream, In in, Array out, std::uint64_t n, Compare compare) {
    if constexpr (of_numbers) {
      if (number_tile::least_n <= n && n <= number_sorter::items_per_tile) {
        return launch_block<tile::tile_sorts<number_sorter, element, Compare, true>>(
            stream, number_tile::threads_per_block, in, out, n, compare);
      }
    }
    // No more warps than have items: idle ones would only slow the barriers.
    const int threads = round_up(ceil_div(static_cast<int>(n), items_per_thread), tile::warp_size);
    launch_block<tile::tile_sorts<sorter, element, Compare, false>>(stream, threads, in, out, n,
                                                                    compare);
  }

 private:
  template <class Sorts, class In>
  static void launch_block(const call_stream& stream, int threads, In in, Array out,
                           std::uint64_t n, Compare compare) {
    static_assert(sizeof(typename Sorts::storage) <= shared_memory_per_block());
    launch(kernel::small_sort_kernel<Sorts, In, Array, Compare>, 1, threads,
           sizeof(typename Sorts::storage), stream, in, out, static_cast<int>(n), compare,
           stream.completion_words(1));
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

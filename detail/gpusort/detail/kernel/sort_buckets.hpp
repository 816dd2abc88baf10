// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/copy_elements.hpp>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/kernel/rare_merge_sort.hpp>
#include <gpusort/detail/kernel/sort_long_ranges.hpp>
#include <gpusort/detail/tile/bucket_sorter.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The buckets of the last level.
struct bucket_list {
  const global_size* starts;
  const global_size* counts;
  const std::uint8_t* equal;
  std::uint32_t buckets;
  bucket_sort_state* state;
  long_ranges longer;  // are left to all blocks
};

/// Sorts bucket b of `from` into `to` by one block, unless it is long. Buckets of numbers that need
/// comparisons are left to sort_by_comparisons. Block-wide, between barriers.
template <class Sorts, class Array, class Compare>
GPUSORT_DEVICE tile::tile_outcome sort_bucket(typename Sorts::storage& shared, const Array& from,
                                              const Array& to, const Array& spare,
                                              const bucket_list& list, std::uint32_t b,
                                              Compare& compare) {
  using sorter = typename Sorts::sorter;
  constexpr tile::tile_outcome is_done{true};
  const global_size begin = list.starts[b], count = list.counts[b];
  if (count == 0) return is_done;
  if (list.equal[b] == inherited_equal) return is_done;
  if (list.equal[b] != not_equal) {
    if (from.keys == to.keys || list.longer.is_long_copy(count)) return is_done;
    copy_elements(from, to, begin, begin + count);
    return is_done;
  }
  if (list.longer.is_long(count)) return is_done;
  if constexpr (Sorts::of_numbers) {
    if (count > sorter::items_per_tile) return {};
    return Sorts::sort_numbers(shared, from + begin, to + begin, static_cast<int>(count), compare,
                               &list.state->wrong_guesses, b);
  } else {
    tile::block_sort_any_length<sorter>(shared, from + begin, to + begin, spare + begin, count,
                                        compare);
    return is_done;
  }
}

/// Sorts a block's bucket of more than one tile.
template <class RareSorter, class Array, class Compare>
GPUSORT_RARE void sort_tiles_by_comparisons(tile_offsets where, bool are_expensive, Array from,
                                            Array to, Array spare, bucket_list list,
                                            Compare compare) {
  typename RareSorter::storage shared(where, are_expensive);
  const global_size begin = list.starts[blockIdx.x];
  tile::block_sort_any_length<RareSorter>(shared, from + begin, to + begin, spare + begin,
                                          list.counts[blockIdx.x], compare);
}

/// Sorts a block's bucket. One tile is sorted from here: the function for several saves registers
/// by 163 of the 3 574 instructions of a warp that sorts a bucket.
template <class RareSorter, class Array, class Compare>
GPUSORT_DEVICE void sort_by_comparisons(const tile_offsets& where, bool are_expensive,
                                        const Array& from, const Array& to, const Array& spare,
                                        const bucket_list& list, Compare& compare) {
  const global_size begin = list.starts[blockIdx.x], count = list.counts[blockIdx.x];
  if (count > static_cast<global_size>(tile::items_per_tile<RareSorter>())) {
    sort_tiles_by_comparisons<RareSorter>(where, are_expensive, from, to, spare, list, compare);
    return;
  }
  typename RareSorter::storage shared(where, are_expensive);
  const int items = static_cast<int>(count);
  RareSorter::sort(shared, from + begin, items, compare);
  tile::store_tile<RareSorter::threads_per_block>(to, begin, items, shared.tile);
}

/// Sorts the buckets of `from` into `to`, each by a block, and long ones by all blocks, of this
/// kernel or, where they are no numbers, of the next one: last step. `spare`, which may be `from`,
/// may be overwritten. Where the input `in` of n elements is in order, it becomes `to`.
/// BlocksResident: as many at least, or 0, what the compiler makes of it.
template <tuning::architecture Arch, class Sorts, int BlocksResident, class In, class Array,
          class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorts::sorter::threads_per_block, BlocksResident)
    sort_buckets_kernel(In in, global_size n, sortedness probe, predicate gate, Array from,
                        Array to, Array spare, bucket_list list, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    if (!gate.is_set()) return;
    const global_size added = Sorts::of_numbers ? list.longer.totals->added : 0;
    if (probe.is_in_order()) return put_in_order(in, to, n, (*probe.all & not_ascending) != 0);
    auto& shared = *reinterpret_cast<typename Sorts::storage*>(raw);
    [[maybe_unused]] const tile::tile_outcome found =
        sort_bucket<Sorts>(shared, from, to, spare, list, blockIdx.x, compare);
    if constexpr (Sorts::of_numbers) {
      const auto where = tile_offsets::of(shared.elements);
      using sorter = typename Sorts::sorter;
      if (!found.is_sorted) {
        __syncthreads();
        using rare = rare_sort_of<sorter, Array, Sorts::are_inferred>;
        sort_by_comparisons<rare>(where, found.are_expensive, from, to, spare, list, compare);
      }
      if (added != 0) {
        __syncthreads();
        sort_long_ranges<rare_sort_of<sorter, Array>>(where, from, to, spare, list.longer, added,
                                                      compare);
      }
    }
  }
}

/// Sorts the long buckets, which there hardly ever are, by all blocks. A kernel of its own, since
/// one that also sorts the others would take the registers of both for either.
template <tuning::architecture Arch, class Sorter, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    sort_long_buckets_kernel(sortedness probe, predicate gate, Array from, Array to, Array spare,
                             long_ranges longer, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    if (!gate.is_set()) return;
    const global_size added = longer.totals->added;
    if (probe.is_in_order() || added == 0) return;
    auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
    sort_long_ranges<rare_sort_of<Sorter, Array>>(tile_offsets::of(shared), from, to, spare, longer,
                                                  added, compare);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/segmented_lists.hpp>
#include <gpusort/detail/kernel/sort_buckets.hpp>
#include <gpusort/detail/tile/bucket_sorter.hpp>
#include <gpusort/detail/tile/lane_group_sorter.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts segments that registers hold: by a warp each, or several by a warp, as many lanes for each
/// as its class has. The longest first.
template <tuning::architecture Arch, class Tuning, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::small_threads_per_block,
                                      Tuning::small_blocks_resident)
    sort_small_segments_kernel(Array data, segment_lists lists, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    using sorter = tile::lane_group_sorter<typename Array::value_type, Tuning::items_per_lane>;
    using items = typename sorter::items;
    constexpr int warps = Tuning::small_threads_per_block / tile::warp_size;
    static_assert(Tuning::lanes_of(group_classes - 1) == tile::warp_size);
    __shared__ __align__(16) unsigned char raw[warps * sizeof(items)];
    __shared__ global_size listed[group_classes];
    wait_for_previous_kernel();
    if (lists.is_non_monotone()) return;
    if (threadIdx.x < group_classes) listed[threadIdx.x] = lists.totals->listed[threadIdx.x];
    __syncthreads();
    items& tile = reinterpret_cast<items*>(raw)[tile::warp_id()];
    // One copy of the code, and one loop, for all classes.
    for (global_size warp = global_size{blockIdx.x} * warps + tile::warp_id();;
         warp += global_size{gridDim.x} * warps) {
      int c = group_classes - 1;
      global_size work = warp;
      for (; c >= 0; --c) {
        const global_size warps_of_class =
            ceil_div<global_size>(listed[c] * Tuning::lanes_of(c), tile::warp_size);
        if (work < warps_of_class) break;
        work -= warps_of_class;
      }
      if (c < 0) return;
      const int lanes = Tuning::lanes_of(c);
      const global_size mine = work * (tile::warp_size / lanes) + tile::lane_id() / lanes;
      const std::uint64_t word = mine < listed[c] ? lists.words_of(c)[mine] : 0;
      const int count = segment_lists::count_of(word);
      int most = count;
      for (int mask = lanes; mask < tile::warp_size; mask *= 2) {
        const int other = tile::shuffle_xor(most, mask);
        most = other > most ? other : most;
      }
      sorter::sort(tile, data + segment_lists::begin_of(word), lanes, count, most, compare);
    }
  }
}

/// Names what sorts segments in blocks. For elements of up to 4 bytes, and for numbers with gaps,
/// which nothing gives up here, it is the sorter, with as many threads as a segment needs; proxmap
/// sort takes all threads.
template <class Sorter, class T, class Compare>
using segment_sort =
    tile::bucket_sorter<Sorter, T, Compare,
                        tile::order_preserving_bits<T, Compare>::is_known &&
                            !tile::order_preserving_bits<T, Compare>::may_have_gaps &&
                            (sizeof(T) > 4)>;

/// Sorts segments of a class that a block sorts, of as many threads as these need.
template <tuning::architecture Arch, class Sorter, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    sort_block_segments_kernel(Array data, segment_lists lists, int c, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    using sorts = segment_sort<Sorter, typename Array::value_type, Compare>;
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    if (lists.is_non_monotone()) return;
    auto& shared = *reinterpret_cast<typename sorts::storage*>(raw);
    const global_size segments = lists.totals->listed[c];
    const std::uint64_t* const words = lists.words_of(c);
    for (global_size k = blockIdx.x; k < segments; k += gridDim.x) {
      const std::uint64_t word = words[k];
      const int count = segment_lists::count_of(word);
      const Array segment = data + segment_lists::begin_of(word);
      if constexpr (sorts::of_numbers) {
        sorts::numbers::sort(shared, segment, segment, count, compare);
      } else {
        Sorter::sort(shared, segment, count, compare);
        tile::store_tile(segment, 0, count, shared.tile);
      }
      __syncthreads();
    }
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/kernel/sort_long_ranges.hpp>
#include <gpusort/detail/tile/tile_sorts.hpp>

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
  long_ranges longer;          // are left to all blocks
  global_size items_per_tile;  // of what sorts one bucket

  /// Whether a bucket is longer than a tile, and yet its block's.
  GPUSORT_DEVICE bool is_wide(std::uint32_t b) const {
    return counts[b] > items_per_tile && !longer.is_long(counts[b]) && equal[b] == not_equal;
  }
};

/// The wide buckets of a block, one after the other.
struct wide_buckets {
  bucket_list list;
  std::uint32_t next, step;

  GPUSORT_DEVICE bool operator()(global_size& begin, global_size& count) {
    while (next < list.buckets && !list.is_wide(next)) next += step;
    if (next >= list.buckets) return false;
    begin = list.starts[next];
    count = list.counts[next];
    next += step;
    return true;
  }
};

/// A block sorts bucket b of `from` into `to`, unless it is longer than a tile. Block-wide, between
/// barriers.
template <class Sorts, class Array, class Compare>
GPUSORT_DEVICE void sort_bucket(typename Sorts::storage& shared, const Array& from, const Array& to,
                                const bucket_list& list, std::uint32_t b, Compare& compare) {
  using sorter = typename Sorts::sorter;
  const global_size begin = list.starts[b], count = list.counts[b];
  if (count == 0) return;
  if (list.equal[b] != not_equal) {
    if (from.keys == to.keys || list.equal[b] == inherited_equal) return;
    for (global_size i = begin + threadIdx.x; i < begin + count; i += blockDim.x) {
      to.store(i, from.load(i));
    }
    return;
  }
  if (count > sorter::items_per_tile) return;
  const int items = static_cast<int>(count);
  if constexpr (Sorts::of_numbers) {
    Sorts::sort_numbers(shared, from + begin, to + begin, items, compare,
                        &list.state->wrong_guesses, b);
  } else {
    sorter::sort(shared, from + begin, items, compare);
    tile::store_tile<sorter::threads_per_block>(to, begin, items, shared.tile);
  }
}

/// Last step: buckets of `from` are sorted into `to`, each by a block, long ones by all. `spare`
/// may be overwritten. Where the input `in` of n elements is in order, it becomes `to`. HasSeveral:
/// blocks may have several buckets each. BlocksResident: as many at least, or 0, what the compiler
/// makes of it.
template <class Sorts, class LongSorter, bool HasSeveral, int BlocksResident, class In, class Array,
          class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorts::sorter::threads_per_block, BlocksResident)
    sort_buckets_kernel(In in, global_size n, probe_result probe, Array from, Array to, Array spare,
                        bucket_list list, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  if (!is_set(probe.is_wanted)) return;
  const global_size added = list.state->long_buckets.added;
  if (probe.is_in_order()) return put_in_order(in, to, n, (*probe.all & not_ascending) != 0);
  auto& shared = *reinterpret_cast<typename Sorts::storage*>(raw);
  const std::uint32_t step = HasSeveral ? gridDim.x : list.buckets;
  if constexpr (HasSeveral) {
    for (std::uint32_t b = blockIdx.x; b < list.buckets; b += step) {
      sort_bucket<Sorts>(shared, from, to, list, b, compare);
      __syncthreads();
    }
  } else {
    sort_bucket<Sorts>(shared, from, to, list, blockIdx.x, compare);
  }
  bool has_wide = false;
  for (std::uint32_t b = blockIdx.x; b < list.buckets; b += step) has_wide |= list.is_wide(b);
  if (!has_wide && added == 0) return;
  __syncthreads();
  sort_long_ranges<LongSorter>(*reinterpret_cast<typename LongSorter::storage*>(raw), from, to,
                               spare, list.longer, added, compare,
                               wide_buckets{list, blockIdx.x, step});
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

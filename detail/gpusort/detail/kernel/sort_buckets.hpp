// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/tile/learnt_number_sort.hpp>
#include <gpusort/detail/tile/proxmap_sort.hpp>
#include <gpusort/detail/tile/sort_range.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// What sorts a tile, and takes of shared memory: one of numbers, or else Sorter itself.
template <class Sorter, class T, class Compare, bool OfNumbers = tile::may_be_numbers<T, Compare>>
struct bucket_sort {
  static constexpr bool of_numbers = OfNumbers;
  using numbers =
      std::conditional_t<tile::order_number<T, Compare>::is_known, tile::proxmap_sort<T, Sorter>,
                         tile::learnt_number_sort<T, Sorter>>;
  using storage = typename std::conditional_t<of_numbers, numbers, Sorter>::storage;
};

/// The buckets of the last level.
struct bucket_list {
  const global_size* starts;
  const global_size* counts;
  const std::uint8_t* equal;
  std::uint32_t buckets;
};

/// A block sorts bucket b of `from` into `to`. Block-wide, between barriers.
template <class Sorter, class Array, class Compare>
GPUSORT_DEVICE void sort_bucket(unsigned char* raw, const Array& from, const Array& to,
                                const Array& spare, const bucket_list& list, std::uint32_t b,
                                Compare& compare) {
  using sorts = bucket_sort<Sorter, typename Array::value_type, Compare>;
  const global_size begin = list.starts[b], count = list.counts[b];
  if (count == 0) return;
  if (list.equal[b] != not_equal) {
    if (from.keys == to.keys || list.equal[b] == inherited_equal) return;
    for (global_size i = begin + threadIdx.x; i < begin + count; i += blockDim.x) {
      to.store(i, from.load(i));
    }
    return;
  }
  if constexpr (sorts::of_numbers) {
    if (count <= Sorter::items_per_tile) {
      auto& shared = *reinterpret_cast<typename sorts::storage*>(raw);
      return sorts::numbers::sort(shared, from + begin, to + begin, static_cast<int>(count),
                                  compare);
    }
  }
  auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
  tile::sort_range<Sorter>(shared, from + begin, to + begin, spare + begin, count, compare);
}

/// Last step: buckets of `from` are sorted into `to`, each by a block. `spare` may be overwritten.
/// Where the input `in` of n elements is in order, it becomes `to`. HasSeveral: blocks have several
/// buckets each; a loop where they have one would cost some percent. BlocksResident: as many at
/// least, or 0, what the compiler makes of it.
template <class Sorter, bool HasSeveral, int BlocksResident, class In, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block, BlocksResident)
    sort_buckets_kernel(In in, global_size n, probe_result probe, Array from, Array to, Array spare,
                        bucket_list list, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  if (!is_set(probe.is_wanted)) return;
  if (probe.is_in_order()) return put_in_order(in, to, n, (*probe.all & not_ascending) != 0);
  if constexpr (HasSeveral) {
    for (std::uint32_t b = blockIdx.x; b < list.buckets; b += gridDim.x) {
      sort_bucket<Sorter>(raw, from, to, spare, list, b, compare);
      __syncthreads();
    }
  } else {
    sort_bucket<Sorter>(raw, from, to, spare, list, blockIdx.x, compare);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

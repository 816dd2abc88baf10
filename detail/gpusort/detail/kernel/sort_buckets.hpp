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
  long_ranges longer;  // are left to all blocks
};

/// What a block does for bucket b of `from`: nothing where it is long; where its elements are
/// equivalent, it only moves them.
template <class Array>
GPUSORT_DEVICE tile_job<Array> job_of_bucket(const Array& from, const Array& to,
                                             const bucket_list& list, std::uint32_t b) {
  const global_size begin = list.starts[b], count = list.counts[b];
  tile_job<Array> job{from + begin, to + begin, 0, 0};
  if (list.equal[b] == not_equal) {
    job.count = list.longer.is_long(count) ? 0 : static_cast<int>(count);
  } else if (from.keys != to.keys && list.equal[b] == found_equal) {
    for (global_size i = threadIdx.x; i < count; i += blockDim.x) job.to.store(i, job.from.load(i));
  }
  return job;
}

/// A block sorts a tile. Block-wide, between barriers.
template <class Sorts, class Array, class Compare>
GPUSORT_DEVICE void sort_tile(typename Sorts::storage& shared, const tile_job<Array>& job,
                              Compare& compare, int* doubt) {
  using sorter = typename Sorts::sorter;
  if (job.count == 0) return;
  if constexpr (Sorts::of_numbers) {
    Sorts::sort_numbers(shared, job.from, job.to, job.count, compare, doubt);
  } else {
    sorter::sort(shared, job.from, job.count, compare);
    tile::store_tile<sorter::threads_per_block>(job.to, 0, job.count, shared.tile);
  }
}

/// Last step: buckets of `from` are sorted into `to`, each by a block, long ones by all. `spare`
/// may be overwritten. Where the input `in` of n elements is in order, it becomes `to`. HasSeveral:
/// blocks may have several buckets each. BlocksResident: as many at least, or 0, what the compiler
/// makes of it.
template <class Sorts, bool HasSeveral, int BlocksResident, class In, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorts::sorter::threads_per_block, BlocksResident)
    sort_buckets_kernel(In in, global_size n, probe_result probe, Array from, Array to, Array spare,
                        bucket_list list, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  if (!is_set(probe.is_wanted)) return;
  const std::uint32_t long_buckets = list.state->long_buckets.ranges;
  if (probe.is_in_order()) return put_in_order(in, to, n, (*probe.all & not_ascending) != 0);
  auto& shared = *reinterpret_cast<typename Sorts::storage*>(raw);
  int* const doubt = &list.state->doubt;
  long_range_sort<typename Sorts::sorter, Array, Compare> longer(
      Sorts::elements(shared), from, to, spare, list.longer, long_buckets, compare);
  std::uint32_t b = blockIdx.x;
  for (;;) {
    tile_job<Array> job;
    const bool is_bucket = b < list.buckets;
    if (is_bucket) {
      job = job_of_bucket(from, to, list, b);
      b = HasSeveral ? b + gridDim.x : list.buckets;
    } else if (!longer.next_tile(job)) {
      return;
    }
    sort_tile<Sorts>(shared, job, compare, doubt);
    if (!is_bucket) longer.finish_tile(job);
    __syncthreads();
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/tile/sort_range.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Last step: a block sorts a bucket of `from` into `to`. `spare` may be overwritten. Where the
/// input `in` of n elements is in order, it becomes `to`.
template <class Sorter, class In, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    sort_buckets_kernel(In in, global_size n, probe_result probe, Array from, Array to, Array spare,
                        const global_size* starts, const global_size* counts,
                        const std::uint8_t* equal, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  if (probe.is_in_order()) return put_in_order(in, to, n, (*probe.all & not_ascending) != 0);
  auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
  const global_size begin = starts[blockIdx.x], count = counts[blockIdx.x];
  if (count == 0) return;
  if (equal[blockIdx.x]) {
    if (from.keys == to.keys) return;
    for (global_size i = begin + threadIdx.x; i < begin + count; i += blockDim.x) {
      to.store(i, from.load(i));
    }
    return;
  }
  tile::sort_range<Sorter>(shared, from + begin, to + begin, spare + begin, count, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/scatter.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Buckets with as much room as a sample lets expect.
struct estimated_buckets {
  const global_size* limits;  // of the destinations of each bucket
  global_size* overflow;
  bool is_beyond = false;

  GPUSORT_DEVICE void claimed(int b, global_size end) { is_beyond |= end > limits[b]; }
  GPUSORT_DEVICE bool synchronize() {
    if (!__syncthreads_or(is_beyond)) return true;
    if (threadIdx.x == 0) *overflow = 1;
    return false;
  }
};

/// Scatters shards that have not been counted: each block finds the buckets of its tiles, of each
/// element once, and scatters them to where buckets begin, on whichever device. Where some bucket
/// has no room left, that is noted, and what has been written is not all.
template <class Shape, class In, class Out, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Shape::threads_per_block, Shape::blocks_resident)
    scatter_to_peers_kernel(In in, Out out, segment_table shard, bucket_table<T> level,
                            estimated_buckets room, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  const chunk mine = find_chunk(shard, level);
  if (!mine.exists) return;
  auto& shared =
      *reinterpret_cast<scatter_storage<Shape, T>*>(raw + tree_bytes<T>(1 << level.log_k));
  using held = held_items<Shape, T, fetched_element_t<In>>;
  with_finder<In, Compare>(raw, level, mine.segment, [&](const auto& finder) GPUSORT_INLINED {
    scatter_chunk<Shape, held>(
        shared, mine, out, level, room,
        [&](held& items, global_size first) { items.load(in, first, mine.last); },
        [&](held& items) {
          items.hold(in);
          items.find_buckets(finder, compare);
        });
  });
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

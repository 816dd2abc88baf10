// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cub/block/block_scan.cuh>
#include <gpusort/detail/kernel/arrival.hpp>
#include <gpusort/detail/kernel/classify.hpp>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Scans the bucket counts of a segment to bucket starts. On the last level, long buckets are
/// listed.
template <class Shape, class T>
GPUSORT_DEVICE void scan_buckets(const bucket_table<T>& level, global_size table,
                                 global_size begin) {
  using scan = cub::BlockScan<global_size, Shape::threads_per_block>;
  __shared__ typename scan::TempStorage temporary;
  constexpr int each = ceil_div(1 << Shape::max_log_buckets, Shape::threads_per_block);
  const int k = 1 << level.log_k, first = each * threadIdx.x;
  global_size before[each];
#pragma unroll
  for (int i = 0; i < each; ++i) {
    before[i] = first + i < k ? __ldcg(level.counts + table + first + i) : 0;
  }
  scan(temporary).ExclusiveSum(before, before);
#pragma unroll
  for (int i = 0; i < each; ++i) {
    if (first + i >= k) continue;
    level.starts[table + first + i] = level.bucket_cursors[table + first + i] = begin + before[i];
    if (level.sorting != nullptr) {
      const global_size count = __ldcg(level.counts + table + first + i);
      const std::uint8_t mark = level.equal[table + first + i];
      if (mark == not_equal && level.long_buckets.is_long(count)) {
        level.long_buckets.add(begin + before[i], count);
      } else if (mark != not_equal && mark != inherited_equal &&
                 level.long_buckets.is_long_copy(count)) {
        level.long_buckets.add_equal(begin + before[i], count);
      }
    }
  }
}

/// Counts the elements of each block's chunk by bucket; the last block of a segment turns the
/// counts into destinations: step 2.
template <tuning::architecture Arch, class Shape, class In, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Shape::threads_per_block, Shape::blocks_resident)
    count_buckets_kernel(In in, segment_table segments, bucket_table<T> level, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    if (segments.is_input()) {
      if (publish_sortedness(segments.probe)) return;
    } else if (segments.probe.is_in_order()) {
      return;
    }
    const chunk mine = find_chunk(segments, level);
    if (!mine.exists) return;
    const int k = 1 << level.log_k;
    const global_size table = global_size{mine.segment} * k;
    if (segments.is_equal(mine.segment)) {
      if (threadIdx.x == 0) atomicAdd(level.counts + table, mine.last - mine.first);
    } else {
      auto* histogram = reinterpret_cast<std::uint32_t*>(raw + tree_bytes<T>(k));
      for (int b = threadIdx.x; b < k; b += blockDim.x) histogram[b] = 0;
      with_finder<In, Compare>(raw, level, mine.segment, [&](const auto& finder) GPUSORT_INLINED {
        __syncthreads();
        for_each_tile<Shape>(mine, [&](global_size first, int, const auto& exists) {
          T x[Shape::items_per_thread];
          int bucket[Shape::items_per_thread];
          classify_tile<Shape>(in, first, exists, finder, x, bucket, compare);
#pragma unroll
          for (int i = 0; i < Shape::items_per_thread; ++i) {
            if (exists(i)) atomicAdd(histogram + bucket[i], 1u);
          }
          if constexpr (may_classify_twice<T, Compare>) {
            if (level.bucket_ids == nullptr) return;
          }
          std::uint16_t* const bucket_ids = level.bucket_ids + first;
#pragma unroll
          for (int i = 0; i < Shape::items_per_thread; ++i) {
            if (exists(i)) {
              bucket_ids[i * Shape::threads_per_block + threadIdx.x] =
                  static_cast<std::uint16_t>(bucket[i]);
            }
          }
        });
      });
      __syncthreads();
      for (int b = threadIdx.x; b < k; b += blockDim.x) {
        if (histogram[b]) atomicAdd(level.counts + table + b, global_size{histogram[b]});
      }
    }
    const global_size chunks = segments.chunks(mine.segment, level.items_per_chunk);
    if (is_last_to_arrive(level.arrivals + mine.segment, chunks)) {
      scan_buckets<Shape>(level, table, segments.start(mine.segment));
    }
  }
}

/// Scans, between two levels: exclusive prefix sums of chunks and of elements over the previous
/// level's buckets (or their runs). One block.
template <int ThreadsPerBlock>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    number_chunks_kernel(const global_size* counts, std::uint32_t segments,
                         global_size items_per_chunk, global_size* first_chunks,
                         global_size* starts) {
  using scan = cub::BlockScan<global_size, ThreadsPerBlock>;
  __shared__ typename scan::TempStorage temporary[2];
  wait_for_previous_kernel();
  global_size chunks_before = 0, items_before = 0;
  for (std::uint32_t base = 0; base < segments; base += ThreadsPerBlock) {
    const std::uint32_t s = base + threadIdx.x;
    const global_size items = s < segments ? counts[s] : 0;
    global_size chunks = ceil_div(items, items_per_chunk), all_chunks, start, all_items;
    scan(temporary[0]).ExclusiveSum(chunks, chunks, all_chunks);
    scan(temporary[1]).ExclusiveSum(items, start, all_items);
    if (s < segments) {
      first_chunks[s] = chunks_before + chunks;
      starts[s] = items_before + start;
    }
    chunks_before += all_chunks;
    items_before += all_items;
    __syncthreads();
  }
  if (threadIdx.x == 0) first_chunks[segments] = chunks_before;
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cub/block/block_scan.cuh>
#include <gpusort/detail/kernel/classify.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A place for an element whose bucket is full, which happens only when a comparator has answered
/// differently than it did while counting: the first free place of a following bucket. As many
/// places exist as elements, so one is found; a bucket seen full is not claimed from.
template <class T>
GPUSORT_DEVICE global_size claim_any_place(const bucket_table<T>& level, global_size table,
                                           int bucket) {
  const int k = 1 << level.log_k;
  for (;; bucket = (bucket + 1) & (k - 1)) {
    const global_size count = level.counts[table + bucket];
    if (__ldcg(level.claimed + table + bucket) >= count) continue;
    const global_size place = atomicAdd(level.claimed + table + bucket, global_size{1});
    if (place < count) return level.starts[table + bucket] + place;
  }
}

/// Shared memory of the scatter kernel beyond the tree.
template <class Tuning, class T>
struct scatter_storage {
  using scan = cub::BlockScan<std::uint32_t, Tuning::threads_per_block>;

  T items[Tuning::items_per_tile];
  std::uint16_t buckets[Tuning::items_per_tile];
  typename scan::TempStorage scan_storage;
  global_size places[1 << Tuning::max_log_buckets];       // of a bucket's first item, less its slot
  std::uint32_t histogram[1 << Tuning::max_log_buckets];  // then each bucket's first slot
  int limits[1 << Tuning::max_log_buckets];  // slots from here on have no claimed place
};

/// Claims places for a tile's items in all buckets. Block-wide; true when some bucket was full.
template <class Tuning, class T>
GPUSORT_DEVICE bool claim_places(scatter_storage<Tuning, T>& shared, const bucket_table<T>& level,
                                 global_size table) {
  const int k = 1 << level.log_k, first = 2 * threadIdx.x;
  std::uint32_t count[2] = {first < k ? shared.histogram[first] : 0,
                            first + 1 < k ? shared.histogram[first + 1] : 0};
  std::uint32_t slot[2];
  typename scatter_storage<Tuning, T>::scan(shared.scan_storage).ExclusiveSum(count, slot);
  bool is_full = false;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int b = first + i;
    if (b >= k) continue;
    shared.histogram[b] = slot[i];
    if (count[i] == 0) continue;
    const global_size claimed = atomicAdd(level.claimed + table + b, global_size{count[i]});
    const global_size total = level.counts[table + b];
    const global_size granted = claimed < total ? min_of(total - claimed, count[i]) : 0;
    shared.places[b] = level.starts[table + b] + claimed - slot[i];
    shared.limits[b] = static_cast<int>(slot[i] + granted);
    is_full |= granted < count[i];
  }
  return __syncthreads_or(is_full);
}

/// Regroups a tile's items by bucket in shared memory and writes each group to places that it
/// claims in the bucket. Block-wide, between barriers.
template <class Tuning, class Out, class T, class Exists>
GPUSORT_DEVICE void scatter_tile(scatter_storage<Tuning, T>& shared, const Out& out, int count,
                                 const bucket_table<T>& level, global_size table,
                                 const T (&x)[Tuning::items_per_thread],
                                 int (&bucket)[Tuning::items_per_thread], const Exists& exists) {
  // From bit 16 on, `bucket` is also the rank among its equals.
#pragma unroll
  for (int i = 0; i < Tuning::items_per_thread; ++i) {
    if (exists(i)) bucket[i] |= atomicAdd(shared.histogram + bucket[i], 1u) << 16;
  }
  __syncthreads();
  const bool some_full = claim_places<Tuning>(shared, level, table);
#pragma unroll
  for (int i = 0; i < Tuning::items_per_thread; ++i) {
    if (!exists(i)) continue;
    const int b = bucket[i] & 0xffff, rank = bucket[i] >> 16;
    const std::uint32_t slot = shared.histogram[b] + rank;
    shared.items[slot] = x[i];
    shared.buckets[slot] = static_cast<std::uint16_t>(b);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += Tuning::threads_per_block) {
    const int b = shared.buckets[slot];
    const bool has_place = !some_full || slot < shared.limits[b];
    out.store(has_place ? shared.places[b] + slot : claim_any_place(level, table, b),
              shared.items[slot]);
  }
}

/// A block copies a chunk, with several elements of each thread on the way.
template <class Tuning, class T, class In, class Out>
GPUSORT_DEVICE void copy_chunk(const In& in, const Out& out, const chunk& mine) {
  for_each_tile<Tuning>(mine, [&](global_size first, int, const auto& exists) {
    T x[Tuning::items_per_thread];
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      if (exists(i)) x[i] = in.load(first + i * Tuning::threads_per_block + threadIdx.x);
    }
#pragma unroll
    for (int i = 0; i < Tuning::items_per_thread; ++i) {
      if (exists(i)) out.store(first + i * Tuning::threads_per_block + threadIdx.x, x[i]);
    }
  });
}

/// Step 3: each block scatters its tiles. Not stable. An element classified differently than it was
/// counted finds another place, so the output is a permutation for any comparator. Segments of
/// equivalent elements go to `equal_out`, which on the last level is where they belong in the end,
/// and may be where they are.
template <class Tuning, class In, class Out, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    scatter_kernel(In in, Out out, Out equal_out, segment_table segments, bucket_table<T> level,
                   Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  if (segments.probe.is_in_order()) return;
  const chunk mine = find_chunk(segments, level);
  if (!mine.exists) return;
  if (segments.is_equal(mine.segment)) {
    if constexpr (std::is_same_v<In, Out>) {
      if (in.keys == equal_out.keys) return;
    }
    return copy_chunk<Tuning, T>(in, equal_out, mine);
  }
  const int k = 1 << level.log_k;
  const global_size table = global_size{mine.segment} * k;
  auto& shared = *reinterpret_cast<scatter_storage<Tuning, T>*>(raw + tree_bytes<T>(k));
  const auto scatter_tiles = [&](const auto& finder) {
    for_each_tile<Tuning>(mine, [&](global_size first, int count, const auto& exists) {
      for (int b = threadIdx.x; b < k; b += blockDim.x) shared.histogram[b] = 0;
      __syncthreads();
      T x[Tuning::items_per_thread];
      int bucket[Tuning::items_per_thread];
      classify_tile<Tuning>(in, first, exists, finder, x, bucket, compare);
      scatter_tile<Tuning>(shared, out, count, level, table, x, bucket, exists);
      __syncthreads();
    });
  };
  if constexpr (keeps_buckets<Tuning, T, Compare>) {
    scatter_tiles(kept_buckets{level.kept});
  } else {
    with_finder<In, Compare>(raw, level, mine.segment, scatter_tiles);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

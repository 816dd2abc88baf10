// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cub/block/block_scan.cuh>
#include <gpusort/detail/kernel/grid_barrier.hpp>
#include <gpusort/detail/kernel/sampler.hpp>
#include <gpusort/detail/kernel/sort_long_ranges.hpp>
#include <gpusort/detail/tile/load_items.hpp>
#include <gpusort/detail/tuning/architecture.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

template <class Tuning, class T>
struct single_launch_storage {
  using sorter = typename Tuning::single_launch::template sorter<T>;
  using scan = cub::BlockScan<std::uint32_t, sorter::threads_per_block>;

  typename sorter::storage tile;  // the sample, then this block's buckets
  std::uint16_t splitters[Tuning::single_launch::max_buckets];  // their numbers in the sample
  typename scan::TempStorage scan_storage;
  T nodes[Tuning::single_launch::max_buckets];
  std::uint8_t equal[Tuning::single_launch::max_buckets + 1];
  std::uint32_t histogram[Tuning::single_launch::max_buckets];  // then: of this block's first item,
                                                                // its rank in the bucket
  std::uint32_t starts[Tuning::single_launch::max_buckets + 1];
};

/// Names the sort of long ranges: that of the buckets of several launches, where it fits the tile.
template <class Tuning, class Array, class T = typename Array::value_type,
          class Own = rare_sort_of<typename Tuning::single_launch::template sorter<T>, Array>,
          class Other = rare_sort_of<typename Tuning::buckets::template latency_sorter<T>, Array>>
using rare_sort_in_one_launch =
    std::conditional_t<Own::items_per_thread == Other::items_per_thread, Other, Own>;

/// Scans bucket counts to bucket starts; k is at most the number of threads.
template <class Tuning, class T>
GPUSORT_DEVICE void scan_counts(single_launch_storage<Tuning, T>& shared,
                                const std::uint32_t* counts, int k) {
  const int b = threadIdx.x;
  const std::uint32_t count = b < k ? __ldcg(counts + b) : 0;
  std::uint32_t start;
  typename single_launch_storage<Tuning, T>::scan(shared.scan_storage).ExclusiveSum(count, start);
  if (b < k) shared.starts[b] = start;
  if (b == k - 1) shared.starts[k] = start + count;
  __syncthreads();
}

/// Sorts few elements by one level of sample sort in one launch: the blocks rank the same sample, a
/// share each, and every block takes the same splitters from it, keeps its elements in registers
/// with their buckets, claims destinations, writes when all have claimed, and sorts its buckets
/// when all have written; long ones all blocks sort together. Launched cooperatively, so all blocks
/// are resident. An element is classified once, so the output is a permutation for any comparator.
template <tuning::architecture Arch, class Tuning, class Array, class In, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::single_launch::threads_per_block,
                                      Tuning::single_launch::blocks_resident)
    single_launch_sample_sort_kernel(In in, Array out, Array spare, std::uint32_t* counts,
                                     std::uint8_t* equal, std::uint16_t* sample_ranks,
                                     long_ranges longer, int n, int items_per_block, int log_k,
                                     int log_oversample, std::uint64_t seed, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    using T = typename Array::value_type;
    using storage = single_launch_storage<Tuning, T>;
    using sorter = typename storage::sorter;
    constexpr int threads = Tuning::single_launch::threads_per_block;
    constexpr int items = Tuning::single_launch::items_per_thread;
    extern __shared__ __align__(16) unsigned char raw[];
    auto& shared = *reinterpret_cast<storage*>(raw);
    const grid_barrier grid{};
    const int k = 1 << log_k, thread = threadIdx.x;
    const int first = blockIdx.x * items_per_block;
    const int count = min_of(items_per_block, n - first);
    const auto exists = [&](int i) { return i * threads + thread < count; };

    if (blockIdx.x == 0 && thread < k) counts[thread] = 0;
    if (blockIdx.x == 0 && thread == 0) *longer.totals = {};
    if (thread < k) shared.histogram[thread] = shared.equal[thread] = 0;
    if (thread == 0) shared.equal[k] = 0;
    T x[items];
    tile::load_items(
        in, x, [&](int i) { return first + i * threads + thread; }, exists);
    const int samples = k << log_oversample;
    load_sample(
        shared.tile.tile, [&](global_size i) { return in.load(i); }, n, log_k + log_oversample,
        seed);
    __syncthreads();
    rank_share_of_sample(shared.tile.tile, samples, sample_ranks, compare);
    grid.sync();
    {
      ranked_sample sorted(shared.tile.tile, samples, sample_ranks, log_oversample,
                           shared.splitters);
      write_splitters(sorted, 0, log_k, shared.nodes, shared.equal, compare);
    }
    __syncthreads();

    int bucket[items];
    std::uint32_t rank[items];
    const bool has_equal = __syncthreads_or(thread < k && shared.equal[thread]);
    const tile::splitter_tree<T> tree{shared.nodes, shared.equal, log_k, has_equal};
    tree.classify(x, bucket, exists, compare);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (exists(i)) rank[i] = atomicAdd(shared.histogram + bucket[i], 1u);
    }
    if (blockIdx.x == 0 && thread < k) equal[thread] = shared.equal[thread];
    __syncthreads();
    if (thread < k && shared.histogram[thread] > 0) {
      shared.histogram[thread] = atomicAdd(counts + thread, shared.histogram[thread]);
    }
    grid.sync();
    // From here on the marks decide where elements are, so all blocks must have the same.
    if (thread < k) shared.equal[thread] = __ldcg(equal + thread);
    scan_counts<Tuning>(shared, counts, k);
    const std::uint32_t my_count =
        thread < k ? shared.starts[thread + 1] - shared.starts[thread] : 0;
    const bool is_long = thread < k && !shared.equal[thread] && longer.is_long(my_count);
    if (blockIdx.x == 0 && is_long) longer.add(shared.starts[thread], my_count);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (!exists(i)) continue;
      const std::uint32_t destination =
          shared.starts[bucket[i]] + shared.histogram[bucket[i]] + rank[i];
      // Every block holds its elements in registers, so `out` may be written even where it is `in`.
      (shared.equal[bucket[i]] ? out : spare).store(destination, x[i]);
    }
    grid.sync();
    const bool has_long = __syncthreads_or(is_long);
    const int last = (blockIdx.x + 1) * k / gridDim.x;
    for (int b = blockIdx.x * k / gridDim.x, next; b < last; b = next) {
      next = b + 1;
      if (shared.equal[b]) continue;
      const std::uint32_t begin = shared.starts[b];
      // Neighbours that fit in one tile are sorted as one.
      while (next < last && !shared.equal[next] &&
             shared.starts[next + 1] - begin <= sorter::items_per_tile) {
        ++next;
      }
      const std::uint32_t size = shared.starts[next] - begin;
      if (size == 0 || longer.is_long(size)) continue;
      sorter::sort(shared.tile, spare + begin, static_cast<int>(size), compare);
      tile::store_tile<sorter::threads_per_block>(out, begin, static_cast<int>(size),
                                                  shared.tile.tile);
      __syncthreads();
    }
    if (!has_long) return;
    using rare = rare_sort_in_one_launch<Tuning, Array>;
    sort_long_ranges<rare>(tile_offsets::of(shared.tile), spare, out, spare, longer,
                           __ldcg(&longer.totals->added), compare);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

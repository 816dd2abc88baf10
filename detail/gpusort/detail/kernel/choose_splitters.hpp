// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tile/sample.hpp>
#include <gpusort/detail/tile/splitter_tree.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A stratified random sample of in[begin, begin + count), sorted, into a tile. Block-wide.
template <class Sorter, class In, class Compare>
GPUSORT_DEVICE void sort_sample(typename Sorter::storage& shared, const In& in, global_size begin,
                                global_size count, int log_samples, std::uint64_t seed,
                                Compare& compare) {
  for (int i = threadIdx.x; i < 1 << log_samples; i += blockDim.x) {
    shared.tile[i] = in.load(begin + tile::sample_place(i, log_samples, count, seed));
  }
  __syncthreads();
  Sorter::sort(shared, 1 << log_samples, compare);
}

/// Every 2^log_oversample-th element of a sorted sample as the splitters of 2^log_k buckets, and
/// marks in `equal`, which is 0, for the buckets of values that take several splitters. Block-wide.
template <class T, class Items, class Compare>
GPUSORT_DEVICE void write_splitters(Items& sample, int log_oversample, int log_k, T* nodes,
                                    std::uint8_t* equal, Compare& compare) {
  const int k = 1 << log_k;
  const auto splitter = [&](int rank) -> const T& { return sample[rank << log_oversample]; };
  for (int rank = 1 + threadIdx.x; rank < k; rank += blockDim.x) {
    nodes[tile::splitter_tree<T>::node_of_rank(rank, log_k)] = splitter(rank);
    const bool starts_run = rank + 1 < k && !compare(splitter(rank), splitter(rank + 1)) &&
                            (rank == 1 || compare(splitter(rank - 1), splitter(rank)));
    if (starts_run) equal[rank] = 1;
  }
}

/// Step 1: a block finds the splitters of its segment. Also clears the segment's counters. On the
/// first level blocks beyond the segments probe the input meanwhile.
template <class Sorter, class In, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    choose_splitters_kernel(In in, segment_table segments, bucket_table<T> level,
                            int log_oversample, std::uint64_t seed, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  wait_for_previous_kernel();
  auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
  const std::uint32_t segment = blockIdx.x;
  if (segment >= segments.segments) {
    const int probe = static_cast<int>(segment - segments.segments);
    const std::uint32_t found =
        find_violations(in, segments.n, probe, segments.probe.blocks, compare);
    if (threadIdx.x == 0) segments.probe.violations[probe] = found;
    return;
  }
  const int k = 1 << level.log_k;
  const global_size begin = segments.start(segment), count = segments.count(segment);
  const global_size table = global_size{segment} * k;
  const bool is_equal = segments.is_equal(segment);
  for (int b = threadIdx.x; b < k; b += blockDim.x) {
    level.counts[table + b] = level.claimed[table + b] = 0;
    level.starts[table + b] = begin;
    level.equal[table + b] = is_equal && b == 0;
  }
  if (threadIdx.x == 0) level.tickets[segment] = 0;
  if (count == 0 || is_equal) return;
  sort_sample<Sorter>(shared, in, begin, count, level.log_k + log_oversample, seed + table,
                      compare);
  write_splitters(shared.tile, log_oversample, level.log_k, level.trees + table,
                  level.equal + table, compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

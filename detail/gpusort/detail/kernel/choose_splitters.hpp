// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tile/sample.hpp>
#include <gpusort/detail/tile/splitter_tree.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

inline constexpr int max_log_linear_buckets = 10;

/// A stratified random sample of `count` elements into a tile; load(i) is one of them. Block-wide,
/// before a barrier.
template <class Items, class Load>
GPUSORT_DEVICE void load_sample(Items& sample, const Load& load, global_size count, int log_samples,
                                std::uint64_t seed) {
  for (int i = threadIdx.x; i < 1 << log_samples; i += blockDim.x) {
    sample[i] = load(tile::sample_place(i, log_samples, count, seed));
  }
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
    if (starts_run) equal[rank] = found_equal;
  }
}

/// What write_distinct_splitters() takes of shared memory.
struct distinct_splitters {
  static constexpr int most = 128;
  int found;
  std::uint16_t ranks[most];
  bool repeat[most];
};

/// The same where few splitters differ: each of them once, or twice if it had a bucket of its own,
/// in a tree of less than log_k levels, which is returned; or 0, and nothing is written. A low tree
/// is descended sooner, and its nodes are in different banks. Block-wide, between barriers.
template <class T, class Items, class Compare>
GPUSORT_DEVICE int write_distinct_splitters(distinct_splitters& shared, Items& sample,
                                            int log_oversample, int log_k, T* nodes,
                                            std::uint8_t* equal, Compare& compare) {
  const int k = 1 << log_k;
  const auto splitter = [&](int rank) -> const T& { return sample[rank << log_oversample]; };
  const auto is_new = [&](int rank) {
    return rank < k && (rank == 1 || compare(splitter(rank - 1), splitter(rank)));
  };
  int count = 0;
  for (int base = 1; base < k; base += blockDim.x) {
    count += __syncthreads_count(is_new(base + threadIdx.x));
  }
  if (count > shared.most) return 0;
  if (threadIdx.x == 0) shared.found = 0;
  __syncthreads();
  for (int rank = 1 + threadIdx.x; rank < k; rank += blockDim.x) {
    if (!is_new(rank)) continue;
    const int i = atomicAdd(&shared.found, 1);
    if (i >= shared.most) continue;
    shared.ranks[i] = static_cast<std::uint16_t>(rank);
    shared.repeat[i] = rank + 1 < k && !compare(splitter(rank), splitter(rank + 1));
  }
  __syncthreads();
  const int distinct = min_of(shared.found, shared.most);
  int all = 0, last = 1;
  for (int i = 0; i < distinct; ++i) {
    all += 1 + shared.repeat[i];
    last = shared.ranks[i] > last ? shared.ranks[i] : last;
  }
  const int levels = ceil_log2(all + 1);
  if (levels >= log_k) return 0;
  const auto put = [&](int place, int rank) {
    nodes[tile::splitter_tree<T>::node_of_rank(place, levels)] = splitter(rank);
  };
  for (int i = threadIdx.x; i < distinct; i += blockDim.x) {
    int place = 1;
    for (int j = 0; j < distinct; ++j) {
      if (shared.ranks[j] < shared.ranks[i]) place += 1 + shared.repeat[j];
    }
    put(place, shared.ranks[i]);
    if (shared.repeat[i]) {
      put(place + 1, shared.ranks[i]);
      equal[place] = found_equal;
    }
  }
  for (int place = all + 1 + threadIdx.x; place < 1 << levels; place += blockDim.x) {
    put(place, last);
  }
  return levels;
}

/// Shared memory of what follows.
struct fit_storage {
  unsigned histogram[1 << max_log_linear_buckets];
  unsigned squares;
  unsigned long long low, high;
};

/// The sum of squares of how many of the elements of a sample fall into each of k buckets, the i-th
/// into bucket_at(i). Block-wide, between barriers.
template <class BucketAt>
GPUSORT_DEVICE unsigned sum_of_squares(fit_storage& shared, int samples, int k,
                                       const BucketAt& bucket_at) {
  for (int b = threadIdx.x; b < k; b += blockDim.x) shared.histogram[b] = 0;
  if (threadIdx.x == 0) shared.squares = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < samples; i += blockDim.x) {
    atomicAdd(shared.histogram + bucket_at(i), 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < k; b += blockDim.x) {
    atomicAdd(&shared.squares, shared.histogram[b] * shared.histogram[b]);
  }
  __syncthreads();
  const unsigned sum = shared.squares;
  __syncthreads();
  return sum;
}

/// Equally wide buckets between the first and the last of a sample, of the numbers or else of the
/// values that they stand for, if the sample's counts in them spread at most twice as much as
/// chance makes equally likely ones: that is what buckets between splitters vary by. Block-wide,
/// between barriers.
template <class In, class T, class Compare, class Items>
GPUSORT_DEVICE tile::linear_map fit_linear_map(Items& sample, int log_k, int log_oversample) {
  using number = tile::order_preserving_bits<T, Compare>;
  using value = tile::linear_value<In, Compare>;
  __shared__ fit_storage shared;
  const int k = 1 << log_k, samples = k << log_oversample;
  const unsigned oversample = 1u << log_oversample, most = samples * (2 + oversample);
  if (threadIdx.x == 0) {
    shared.low = ~0ull;
    shared.high = 0;
  }
  __syncthreads();
  unsigned long long my_low = ~0ull, my_high = 0;
  for (int i = threadIdx.x; i < samples; i += blockDim.x) {
    const unsigned long long x = number::of(sample[i]);
    my_low = x < my_low ? x : my_low;
    my_high = x > my_high ? x : my_high;
  }
  atomicMin(&shared.low, my_low);
  atomicMax(&shared.high, my_high);
  __syncthreads();
  const std::uint64_t low = shared.low, high = shared.high;
  const auto by_number = tile::linear_map::between(low, high, k);
  const unsigned squares = sum_of_squares(
      shared, samples, k, [&](int i) { return by_number.bucket_of(number::of(sample[i])); });
  if (squares <= most) return by_number;
  if constexpr (!value::is_number) {
    const auto by_value = tile::linear_map::between(value::of(low), value::of(high), k);
    const auto bucket_at = [&](int i) {
      return by_value.bucket_of(value::of(number::of(sample[i])));
    };
    if (sum_of_squares(shared, samples, k, bucket_at) <= most) return by_value;
  }
  return {};
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
        segments.is_wanted.is_set()
            ? find_violations(in, segments.n, probe, segments.probe.blocks, compare)
            : 0;
    if (threadIdx.x == 0) segments.probe.violations[probe] = found;
    return;
  }
  const int k = 1 << level.log_k;
  const global_size begin = segments.start(segment), count = segments.count(segment);
  const global_size table = global_size{segment} * k;
  const bool is_equal = segments.is_equal(segment);
  for (int b = threadIdx.x; b < k; b += blockDim.x) {
    level.counts[table + b] = 0;
    level.starts[table + b] = begin;
    level.equal[table + b] = is_equal && b == 0 ? inherited_equal : not_equal;
  }
  if (threadIdx.x == 0) level.arrivals[segment] = 0;
  if (segment == 0 && threadIdx.x == 0 && level.sorting != nullptr) *level.sorting = {};
  if constexpr (tile::order_preserving_bits<T, Compare>::is_known) {
    if (threadIdx.x == 0) level.maps[segment] = {};
  }
  if (count == 0 || is_equal || !segments.is_wanted.is_set()) return;
  load_sample(
      shared.tile, [&](global_size i) { return in.load(segments.index_of(segment, i)); }, count,
      level.log_k + log_oversample, seed + table);
  __syncthreads();
  if constexpr (tile::order_preserving_bits<T, Compare>::is_known) {
    const tile::linear_map map =
        fit_linear_map<In, T, Compare>(shared.tile, level.log_k, log_oversample);
    if (threadIdx.x == 0) level.maps[segment] = map;
    if (map.is_used()) return;
  }
  Sorter::sort(shared, 1 << (level.log_k + log_oversample), compare);
  __shared__ distinct_splitters few;
  T* const nodes = level.trees + table;
  std::uint8_t* const equal = level.equal + table;
  const int levels = write_distinct_splitters(few, shared.tile, log_oversample, level.log_k, nodes,
                                              equal, compare);
  if (levels == 0) {
    write_splitters(shared.tile, log_oversample, level.log_k, nodes, equal, compare);
  }
  if (threadIdx.x == 0) level.tree_levels[segment] = levels == 0 ? level.log_k : levels;
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

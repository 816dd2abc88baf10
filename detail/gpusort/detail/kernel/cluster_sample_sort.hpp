// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/tell_completion.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/bitonic_merge.hpp>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tile/cluster.hpp>
#include <gpusort/detail/tile/sample.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// What a block of the cluster has in shared memory. Its tile, the last member, is as large as the
/// input: no bucket overflows, and no block waits to be told where it may write.
template <class Tuning, class T>
struct cluster_storage {
  static constexpr int blocks = Tuning::cluster_blocks;
  using sorter = tile::block_sort<T, Tuning::cluster_threads, Tuning::cluster_bucket_items, false,
                                  1, Tuning::cluster_max_n>;

  T sample[Tuning::cluster_samples];
  int sample_places[Tuning::cluster_samples];
  int splitters[blocks];           // of buckets 1, 2, ...: their numbers in the sample
  int counts[blocks];              // of this block's elements by bucket
  int all_counts[blocks][blocks];  // of each block's elements by bucket
  int sizes[blocks];               // of the buckets
  typename sorter::storage sort;

  /// Bytes for n elements.
  static std::size_t bytes(int n) {
    using items = typename sorter::items;
    return sizeof(cluster_storage) - sizeof(items) + items::bytes(n);
  }
};

/// A stratified random sample.
template <class Tuning, class T, class In>
GPUSORT_DEVICE void load_sample(cluster_storage<Tuning, T>& shared, const In& in, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= Tuning::cluster_samples) return;
  const int place =
      static_cast<int>(tile::sample_place(i, ceil_log2(Tuning::cluster_samples), n, Tuning::seed));
  shared.sample[i] = in.load(place);
  shared.sample_places[i] = place;
}

/// Evenly spaced elements of the sample, ordered by value and then by place, so that equivalent
/// elements are split as well: each one's rank is counted by comparing all pairs. Should a
/// comparator lie, some splitters are arbitrary elements. Block-wide, between barriers.
template <class Tuning, class T, class Compare>
GPUSORT_DEVICE void choose_splitters(cluster_storage<Tuning, T>& shared, Compare& compare) {
  constexpr int samples = Tuning::cluster_samples, per_bucket = samples / Tuning::cluster_blocks;
  const int helpers = static_cast<int>(blockDim.x) / samples;  // threads for each of the sample
  const int helper = static_cast<int>(threadIdx.x) % helpers;
  const int mine = static_cast<int>(threadIdx.x) / helpers;
  const T x = shared.sample[mine];
  if (helper == 0 && mine < Tuning::cluster_blocks) shared.splitters[mine] = mine;
  int rank = 0;
#pragma unroll 4
  for (int i = helper; i < samples; i += helpers) {
    const T other = shared.sample[i];
    const bool is_later = mine > i;
    const bool is_less =
        compare(tile::select(is_later, x, other), tile::select(is_later, other, x));
    rank += i != mine && is_less != is_later;
  }
  for (int mask = helpers / 2; mask > 0; mask /= 2) rank += tile::shuffle_xor(rank, mask);
  __syncthreads();
  if (helper == 0 && rank % per_bucket == 0) shared.splitters[rank / per_bucket] = mine;
}

/// The last bucket whose splitter is not behind x in the order of values and places.
template <class Tuning, class T, class Compare>
GPUSORT_DEVICE int find_bucket(const cluster_storage<Tuning, T>& shared, const T& x, int place,
                               Compare& compare) {
  int bucket = 0;
#pragma unroll
  for (int step = Tuning::cluster_blocks / 2; step > 0; step /= 2) {
    const int number = shared.splitters[bucket + step];
    const T splitter = shared.sample[number];
    const bool is_earlier = place < shared.sample_places[number];
    const bool is_less =
        compare(tile::select(is_earlier, splitter, x), tile::select(is_earlier, x, splitter));
    if (is_less == is_earlier) bucket += step;
  }
  return bucket;
}

/// This element's number among the block's elements of its bucket; one atomic for each bucket that
/// a warp has. `bucket` is negative in threads without an element.
GPUSORT_DEVICE int rank_in_bucket(int* counts, int bucket) {
  const unsigned equals = __match_any_sync(tile::full_warp, bucket);
  const unsigned lower = equals & ((1u << tile::lane_id()) - 1);
  int first = 0;
  if (lower == 0 && bucket >= 0) first = atomicAdd(counts + bucket, __popc(equals));
  return __shfl_sync(tile::full_warp, first, __ffs(equals) - 1) + __popc(lower);
}

/// Moves together what the blocks have put into this block's tile, each at a multiple of `share`.
/// Returns how many there are.
template <class Tuning, class T>
GPUSORT_DEVICE int close_gaps(cluster_storage<Tuning, T>& shared, int me, int share) {
  int count = 0;
  int starts[Tuning::cluster_blocks];
#pragma unroll
  for (int b = 0; b < Tuning::cluster_blocks; ++b) {
    starts[b] = count;
    count += shared.all_counts[b][me];
  }
  for (int first = 0; first < count; first += static_cast<int>(blockDim.x)) {
    const int i = first + static_cast<int>(threadIdx.x);
    int from = i;
#pragma unroll
    for (int b = 1; b < Tuning::cluster_blocks; ++b) {
      if (i >= starts[b]) from = b * share + i - starts[b];
    }
    T x;
    if (i < count) x = shared.sort.tile[from];
    __syncthreads();
    if (i < count) shared.sort.tile[i] = x;
  }
  __syncthreads();
  return count;
}

/// Sample sort of up to cluster_max_n elements by the blocks of one cluster, a bucket for each:
/// each block classifies its share, puts every element into the tile of its bucket's block, and
/// sorts its own bucket. An element is classified once, so the output is a permutation for any
/// comparator. Equivalent elements are split by their places. Source: paper 003, section 6; the
/// exchange in distributed shared memory is ours.
template <class Tuning, class Array, class In, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::cluster_threads)
    cluster_sample_sort_kernel(In in, Array out, int n, int share, Compare compare,
                               std::uint32_t* completion) {
  using T = typename Array::value_type;
  using storage = cluster_storage<Tuning, T>;
  using tile::cluster;
  constexpr int blocks = Tuning::cluster_blocks, items = Tuning::cluster_share_items;
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<storage*>(raw);
  const int me = cluster::rank(), thread = static_cast<int>(threadIdx.x);
  const auto number = [&](int i) { return i * static_cast<int>(blockDim.x) + thread; };
  const auto exists = [&](int i) { return number(i) < share && me * share + number(i) < n; };

  T x[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (exists(i)) x[i] = in.load(me * share + number(i));
  }
  load_sample<Tuning>(shared, in, n);
  if (thread < blocks) shared.counts[thread] = 0;
  __syncthreads();
  cluster::arrive();
  choose_splitters<Tuning>(shared, compare);
  __syncthreads();
  cluster::wait();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int bucket =
        exists(i) ? find_bucket<Tuning>(shared, x[i], me * share + number(i), compare) : -1;
    const int rank = rank_in_bucket(shared.counts, bucket);
    if (exists(i)) cluster::at(&shared, bucket)->sort.tile[me * share + rank] = x[i];
  }
  __syncthreads();
  if (thread < blocks * blocks) {
    cluster::at(shared.all_counts[me], thread / blocks)[thread % blocks] =
        shared.counts[thread % blocks];
  }
  cluster::sync();
  const int count = close_gaps<Tuning>(shared, me, share);
  if (thread < blocks) {
    shared.sizes[thread] = 0;
    for (int from = 0; from < blocks; ++from) {
      shared.sizes[thread] += shared.all_counts[from][thread];
    }
  }
  if (count <= static_cast<int>(blockDim.x) * Tuning::cluster_bucket_items) {
    storage::sorter::sort(shared.sort, count, compare);
  } else {
    tile::bitonic_sort_items<T>(shared.sort.tile, count, compare);
  }
  int begin = 0;
#pragma unroll
  for (int b = 0; b < blocks; ++b) begin += b < me ? shared.sizes[b] : 0;
  for (int i = thread; i < count; i += static_cast<int>(blockDim.x)) {
    out.store(begin + i, shared.sort.tile[i]);
  }
  tell_completion(completion);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

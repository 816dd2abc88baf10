// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/tell_completion.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/bitonic_merge.hpp>
#include <gpusort/detail/tile/block_sort.hpp>
#include <gpusort/detail/tile/cluster.hpp>
#include <gpusort/detail/tile/sample.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tile/tile_sorts.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// What a block of the cluster has in shared memory. Its tile is as large as the input: no bucket
/// overflows, and no block waits to be told where it may write.
template <class Tuning, class T, class Compare>
struct cluster_storage {
  using tuning = Tuning;
  using element = T;
  static constexpr int blocks = Tuning::cluster_blocks;
  using sorter = tile::block_sort<T, Tuning::cluster_threads, Tuning::cluster_bucket_items, false,
                                  Tuning::cluster_bucket_chunks, Tuning::cluster_max_n>;
  static constexpr bool has_numbers = Tuning::cluster_least_numbers <= Tuning::cluster_max_n;
  using sorts = tile::tile_sorts<sorter, T, Compare, has_numbers>;

  /// Whether proxmap sort takes the buckets of n elements.
  GPUSORT_HOST_DEVICE static constexpr bool are_numbers(int n) {
    return has_numbers && n >= Tuning::cluster_least_numbers;
  }

  /// Fewer have no room for a second chunk.
  GPUSORT_HOST_DEVICE static constexpr int chunks(int n) {
    return are_numbers(n) ? Tuning::cluster_bucket_chunks : 1;
  }

  GPUSORT_HOST_DEVICE static constexpr int share(int n) { return ceil_div(n, blocks); }

  static int threads(int n) {
    static_assert(has_room_for(Tuning::cluster_max_n) &&
                      (!has_numbers || has_room_for(Tuning::cluster_least_numbers - 1)),
                  "a block holds its share, and sorts buckets of several shares");
    if (are_numbers(n)) return Tuning::cluster_threads;
    const int for_share = ceil_div(share(n), int{Tuning::cluster_share_items});
    const int for_bucket =
        ceil_div(share(n) * Tuning::cluster_bucket_shares, int{Tuning::cluster_bucket_items});
    return std::max(1 << ceil_log2(std::max(for_share, for_bucket)),
                    int{Tuning::cluster_min_threads});
  }

  T sample[Tuning::cluster_samples];
  int sample_places[Tuning::cluster_samples];
  int splitters[blocks];           // of buckets 1, 2, ...: their numbers in the sample
  int counts[blocks];              // of this block's elements by bucket
  int all_counts[blocks][blocks];  // of each block's elements by bucket
  int sizes[blocks];               // of the buckets
  typename sorts::storage sort;

  GPUSORT_DEVICE typename sorter::items& tile() { return sorts::elements(sort).tile; }

  /// Bytes for n elements; where they are compared, a tile of these is the last of them.
  static std::size_t bytes(int n) {
    if (are_numbers(n)) return sizeof(cluster_storage);
    using items = typename sorter::items;
    return sizeof(cluster_storage) - sizeof(sort) + sizeof(typename sorter::storage) -
           sizeof(items) + items::bytes(n);
  }

 private:
  static constexpr bool has_room_for(int n) {
    return share(n) <= Tuning::cluster_share_items * Tuning::cluster_threads &&
           share(n) * Tuning::cluster_bucket_shares <=
               chunks(n) * Tuning::cluster_bucket_items * Tuning::cluster_threads;
  }
};

/// A stratified random sample.
template <class Storage, class In>
GPUSORT_DEVICE void load_sample(Storage& shared, const In& in, int n) {
  using tuning = typename Storage::tuning;
  const int i = static_cast<int>(threadIdx.x);
  if (i >= tuning::cluster_samples) return;
  const int place =
      static_cast<int>(tile::sample_place(i, ceil_log2(tuning::cluster_samples), n, tuning::seed));
  shared.sample[i] = in.load(place);
  shared.sample_places[i] = place;
}

/// Evenly spaced elements of the sample, ordered by value and then by place, so that equivalent
/// elements are split as well: each one's rank is counted by comparing all pairs. Should a
/// comparator lie, some splitters are arbitrary elements. Block-wide, between barriers.
template <class Storage, class Compare>
GPUSORT_DEVICE void choose_splitters(Storage& shared, Compare& compare) {
  using T = typename Storage::element;
  constexpr int samples = Storage::tuning::cluster_samples, per_bucket = samples / Storage::blocks;
  const int helpers = static_cast<int>(blockDim.x) / samples;  // threads for each of the sample
  const int helper = static_cast<int>(threadIdx.x) % helpers;
  const int mine = static_cast<int>(threadIdx.x) / helpers;
  const T x = shared.sample[mine];
  if (helper == 0 && mine < Storage::blocks) shared.splitters[mine] = mine;
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
template <class Storage, class T, class Compare>
GPUSORT_DEVICE int find_bucket(const Storage& shared, const T& x, int place, Compare& compare) {
  int bucket = 0;
#pragma unroll
  for (int step = Storage::blocks / 2; step > 0; step /= 2) {
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

/// What the blocks have put into the tile of block `me`, each at a multiple of `share`.
template <class Storage>
struct gapped_bucket {
  Storage& shared;
  int share;
  int starts[Storage::blocks];
  int count = 0;

  GPUSORT_DEVICE gapped_bucket(Storage& storage, int me, int share_size)
      : shared(storage), share(share_size) {
#pragma unroll
    for (int b = 0; b < Storage::blocks; ++b) {
      starts[b] = count;
      count += shared.all_counts[b][me];
    }
  }

  GPUSORT_DEVICE typename Storage::element load(std::uint64_t place) const {
    const int i = static_cast<int>(place);
    int from = i;
#pragma unroll
    for (int b = 1; b < Storage::blocks; ++b) {
      if (i >= starts[b]) from = b * share + i - starts[b];
    }
    return shared.tile()[from];
  }

  /// Moves them together. Block-wide; ends with a barrier.
  GPUSORT_DEVICE void close() const {
    for (int first = 0; first < count; first += static_cast<int>(blockDim.x)) {
      const int i = first + static_cast<int>(threadIdx.x);
      typename Storage::element x;
      if (i < count) x = load(i);
      __syncthreads();
      if (i < count) shared.tile()[i] = x;
    }
    __syncthreads();
  }
};

/// Sorts a block's bucket in its tile, of n elements of the cluster. Block-wide, behind a barrier;
/// ends with one.
template <class Storage, class Compare>
GPUSORT_DEVICE void sort_own_bucket(Storage& shared, const gapped_bucket<Storage>& bucket, int n,
                                    Compare& compare) {
  using sorts = typename Storage::sorts;
  using tuning = typename Storage::tuning;
  const int count = bucket.count, threads = static_cast<int>(blockDim.x);
  const bool fits = count <= Storage::chunks(n) * threads * tuning::cluster_bucket_items;
  bool is_gapped = true, is_sorted = false;
  if constexpr (sorts::of_numbers) {
    if (Storage::are_numbers(n) && fits && count > 0) {
      is_sorted = sorts::numbers::sort_into_tile(shared.sort, bucket, count, compare);
      is_gapped = false;
    }
  }
  if (is_gapped) bucket.close();
  if (!fits) {
    tile::bitonic_sort_items<typename Storage::element>(shared.tile(), count, compare);
  } else if (!is_sorted) {
    sorts::sorter::sort(sorts::elements(shared.sort), count, compare);
  }
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
  using storage = cluster_storage<Tuning, T, Compare>;
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
  load_sample(shared, in, n);
  if (thread < blocks) shared.counts[thread] = 0;
  __syncthreads();
  cluster::arrive();
  choose_splitters(shared, compare);
  __syncthreads();
  cluster::wait();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * static_cast<int>(blockDim.x) >= share) break;
    const int bucket = exists(i) ? find_bucket(shared, x[i], me * share + number(i), compare) : -1;
    const int rank = rank_in_bucket(shared.counts, bucket);
    if (exists(i)) cluster::at(&shared, bucket)->tile()[me * share + rank] = x[i];
  }
  __syncthreads();
  if (thread < blocks * blocks) {
    cluster::at(shared.all_counts[me], thread / blocks)[thread % blocks] =
        shared.counts[thread % blocks];
  }
  cluster::sync();
  if (thread < blocks) {
    shared.sizes[thread] = 0;
    for (int from = 0; from < blocks; ++from) {
      shared.sizes[thread] += shared.all_counts[from][thread];
    }
  }
  const gapped_bucket<storage> bucket(shared, me, share);
  sort_own_bucket(shared, bucket, n, compare);
  int begin = 0;
#pragma unroll
  for (int b = 0; b < blocks; ++b) begin += b < me ? shared.sizes[b] : 0;
  tile::store_tile(out, begin, bucket.count, shared.tile());
  tell_completion(completion);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

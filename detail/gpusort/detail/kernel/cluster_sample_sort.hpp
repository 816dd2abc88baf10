// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/kernel/rare_merge_sort.hpp>
#include <gpusort/detail/kernel/signal_completion.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/bucket_sorter.hpp>
#include <gpusort/detail/tile/cluster.hpp>
#include <gpusort/detail/tile/lane_search.hpp>
#include <gpusort/detail/tile/load_items.hpp>
#include <gpusort/detail/tile/sample.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Holds what a block of the cluster has in shared memory. Its tile is as large as the input: no
/// bucket overflows, and no block waits to be told where it may write.
template <class Tuning, class T, class Compare>
struct cluster_storage {
  using tuning = Tuning;
  using element = T;
  static constexpr int blocks = Tuning::blocks;
  using sorter = tile::block_merge_sort<T, Tuning::threads_per_block, Tuning::bucket_items, false,
                                        Tuning::bucket_chunks, Tuning::max_n>;
  static constexpr bool has_numbers = Tuning::least_numbers <= Tuning::max_n;
  using sorts = tile::bucket_sorter<sorter, T, Compare, has_numbers>;

  /// Whether proxmap sort takes the buckets of n elements.
  GPUSORT_HOST_DEVICE static constexpr bool are_numbers(int n) {
    return has_numbers && n >= Tuning::least_numbers;
  }

  /// Returns the chunks of a bucket; fewer elements have no room for a second one.
  GPUSORT_HOST_DEVICE static constexpr int chunks(int n) {
    return are_numbers(n) ? Tuning::bucket_chunks : 1;
  }

  GPUSORT_HOST_DEVICE static constexpr int share(int n) { return ceil_div(n, blocks); }

  /// Returns the largest bucket that a block of `block_threads` threads sorts.
  GPUSORT_HOST_DEVICE static constexpr int max_bucket(int n, int block_threads) {
    return chunks(n) * block_threads * int{Tuning::bucket_items};
  }

  static constexpr int threads(int n) {
    static_assert(
        has_room_for(Tuning::max_n) && (!has_numbers || has_room_for(Tuning::least_numbers - 1)),
        "a block holds its share, and sorts buckets of several shares");
    if (are_numbers(n)) return Tuning::threads_per_block;
    const int for_share = ceil_div(share(n), int{Tuning::share_items});
    const int for_bucket = ceil_div(share(n) * Tuning::bucket_shares, int{Tuning::bucket_items});
    return (std::max)(1 << ceil_log2((std::max)(for_share, for_bucket)),
                      int{Tuning::min_threads_per_block});
  }

  T sample[Tuning::samples];
  int sample_indices[Tuning::samples];
  int splitters[blocks];           // of buckets 1, 2, ...: their numbers in the sample
  int counts[blocks];              // of this block's elements by bucket
  int all_counts[blocks][blocks];  // of each block's elements by bucket
  int sizes[blocks];               // of the buckets
  int cuts[blocks];                // elements of run a before each block's part of a merged pair
  typename sorts::storage sort;

  GPUSORT_DEVICE typename sorter::items& tile() { return sorts::elements(sort).tile; }

  /// Returns the bytes for n elements; where they are compared, a tile of these is the last of
  /// them.
  static std::size_t bytes(int n) {
    if (are_numbers(n)) return sizeof(cluster_storage);
    using items = typename sorter::items;
    return sizeof(cluster_storage) - sizeof(sort) + sizeof(typename sorter::storage) -
           sizeof(items) + items::bytes(n);
  }

 private:
  static constexpr bool has_room_for(int n) {
    return share(n) <= Tuning::share_items * Tuning::threads_per_block &&
           share(n) * Tuning::bucket_shares <= max_bucket(n, Tuning::threads_per_block);
  }
};

/// Loads a stratified random sample, with the indices that it comes from.
template <class Storage, class In>
GPUSORT_DEVICE void load_sample(Storage& shared, const In& in, int n, std::uint64_t seed) {
  tile::for_each_sample(ceil_log2(Storage::tuning::samples), n, seed,
                        [&](int i, std::uint64_t index) {
                          shared.sample[i] = in.load(index);
                          shared.sample_indices[i] = static_cast<int>(index);
                        });
}

/// Chooses evenly spaced elements of the sample, ordered by value and then by index, so that
/// equivalent elements are split as well: each one's rank is counted by comparing all pairs. Should
/// a comparator lie, some splitters are arbitrary elements. Block-wide, between barriers.
template <class Storage, class Compare>
GPUSORT_DEVICE void choose_splitters(Storage& shared, Compare& compare) {
  using T = typename Storage::element;
  constexpr int samples = Storage::tuning::samples, per_bucket = samples / Storage::blocks;
  const int helpers = static_cast<int>(blockDim.x) / samples;  // threads for each of the sample
  const int helper = static_cast<int>(threadIdx.x) % helpers;
  const int mine = static_cast<int>(threadIdx.x) / helpers;
  const T x = shared.sample[mine];
  if (helper == 0 && mine < Storage::blocks) shared.splitters[mine] = mine;
  int rank = 0;
#pragma unroll 4
  for (int i = helper; i < samples; i += helpers) {
    const bool is_earlier = tile::is_before(shared.sample[i], i, x, mine, compare);
    rank += i != mine && is_earlier;  // no branch around the comparison
  }
  for (int mask = helpers / 2; mask > 0; mask /= 2) rank += tile::shuffle_xor(rank, mask);
  __syncthreads();
  if (helper == 0 && rank % per_bucket == 0) shared.splitters[rank / per_bucket] = mine;
}

/// Returns the last bucket whose splitter is not after x in the order of values and indices.
template <class Storage, class T, class Compare>
GPUSORT_DEVICE int find_bucket(const Storage& shared, const T& x, int index, Compare& compare) {
  int bucket = 0;
#pragma unroll
  for (int step = Storage::blocks / 2; step > 0; step /= 2) {
    const int number = shared.splitters[bucket + step];
    const bool is_after =
        tile::is_before(shared.sample[number], shared.sample_indices[number], x, index, compare);
    if (is_after) bucket += step;
  }
  return bucket;
}

/// Returns this element's number among the block's elements of its bucket; one atomic for each
/// bucket that a warp has. `bucket` is negative in threads without an element.
GPUSORT_DEVICE int rank_in_bucket(int* counts, int bucket) {
  const unsigned equals = __match_any_sync(tile::full_warp, bucket);
  const unsigned lower = equals & ((1u << tile::lane_id()) - 1);
  int first = 0;
  if (lower == 0 && bucket >= 0) first = atomicAdd(counts + bucket, __popc(equals));
  return __shfl_sync(tile::full_warp, first, __ffs(equals) - 1) + __popc(lower);
}

/// Holds what the blocks have put into the tile of block `me`, each at a multiple of `share`.
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

  GPUSORT_DEVICE typename Storage::element load(std::uint64_t index) const {
    const int i = static_cast<int>(index);
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

/// Puts a block's bucket, of n elements of the cluster, together in its tile, and sorts it if
/// proxmap sort does. Block-wide, after a barrier; ends with one.
template <class Storage, class Compare>
GPUSORT_DEVICE tile::tile_outcome put_in_tile(Storage& shared, const gapped_bucket<Storage>& bucket,
                                              int n, Compare& compare) {
  using sorts = typename Storage::sorts;
  if constexpr (sorts::of_numbers) {
    if (Storage::are_numbers(n) && bucket.count > 0) {
      return sorts::numbers::sort_into_tile(shared.sort, bucket, bucket.count, compare);
    }
  }
  bucket.close();
  return {};
}

/// Sorts the first `count` elements of a block's tile by comparisons. Block-wide, between barriers.
template <class Array, class Storage, class Compare>
GPUSORT_DEVICE void sort_tile(Storage& shared, bool are_expensive, int count, Compare& compare) {
  using sorts = typename Storage::sorts;
  auto& elements = sorts::elements(shared.sort);
  if constexpr (sorts::are_inferred) {
    if (are_expensive) {
      using rare = rare_sort_of<typename sorts::sorter, Array, true>;
      typename rare::storage storage(tile_offsets::of(elements), true);
      return rare::sort(storage, count, compare);
    }
  }
  sorts::sorter::sort(elements, count, compare);
}

/// Merges what the blocks of a cluster have sorted in their tiles, `share` elements of n each: for
/// inputs whose sample has misled.
template <class Storage, class Array, class Compare>
struct cluster_merge {
  using T = typename Storage::element;
  using sorts = typename Storage::sorts;
  using cluster = tile::cluster;
  static constexpr int blocks = Storage::blocks, items = Storage::tuning::share_items;

  Storage& shared;
  int me, n, share;
  Compare& compare;

  /// Runs in all blocks, after a barrier of the block; ends with one. Nobody reads the tile of
  /// another block any more then.
  GPUSORT_DEVICE void run() {
    for (int run = 1; run < blocks; run *= 2) merge_pairs(run);
  }

  GPUSORT_DEVICE int begin_of(int block) const { return min_of(block * share, n); }
  GPUSORT_DEVICE int size_of(int block) const { return begin_of(block + 1) - begin_of(block); }

 private:
  GPUSORT_DEVICE T load(int i) const {
    return cluster::at(&shared, i / share)->tile()[i - i / share * share];
  }

  /// Merges runs of `run` blocks in pairs; each block gets its share of the merged order.
  GPUSORT_DEVICE void merge_pairs(int run) {
    const int first = me / (2 * run) * (2 * run);
    const int begin = begin_of(first), middle = begin_of(first + run);
    const int a_count = middle - begin, total = begin_of(first + 2 * run) - begin;
    const int before = begin_of(me) - begin, count = size_of(me);
    cluster::sync();
    publish_cut(begin, middle, before, a_count, total - a_count);
    cluster::sync();
    const bool is_non_monotone = has_non_monotone_cuts(first, run, a_count);
    const auto cut_before = [&](int block, int diagonal) {
      return block == first + 2 * run ? a_count
             : is_non_monotone        ? min_of(diagonal, a_count)
                                      : shared.cuts[block];
    };
    const int a_first = cut_before(me, before), a_last = cut_before(me + 1, before + count);
    const int a_items = a_last - a_first;
    T x[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int k = i * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
      if (k < count) {
        x[i] = load(k < a_items ? begin + a_first + k : middle + before - a_first + k - a_items);
      }
    }
    cluster::sync();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int k = i * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
      if (k < count) shared.tile()[k] = x[i];
    }
    __syncthreads();
    auto& elements = sorts::elements(shared.sort);
    if constexpr (sorts::of_numbers) {
      using rare = rare_sort_of<typename sorts::sorter, Array>;
      typename rare::storage storage(tile_offsets::of(elements));
      rare::merge_two(storage, a_items, count - a_items, compare);
    } else {
      sorts::sorter::merge_two(elements, a_items, count - a_items, compare);
    }
  }

  /// Tells all blocks how many elements of run a are before this block's part.
  GPUSORT_DEVICE void publish_cut(int begin, int middle, int before, int a_count, int b_count) {
    if (tile::warp_id() > 0) return;
    const int low = before > b_count ? before - b_count : 0, high = min_of(before, a_count);
    const std::uint64_t cut = tile::lane_search<tile::warp_size>(
        low, high, low + (high - low) / 2, (high - low) / (2 * tile::warp_size) + 1,
        [&](std::uint64_t i) {
          const int a = static_cast<int>(i);
          return !compare(load(middle + before - 1 - a), load(begin + a));
        });
    if (tile::lane_id() < blocks) {
      cluster::at(&shared, tile::lane_id())->cuts[me] = static_cast<int>(cut);
    }
  }

  /// Whether parts of the pair do not fit each other, as inconsistent comparators make them: then
  /// its runs are left one after the other. All blocks of the pair find the same.
  GPUSORT_DEVICE bool has_non_monotone_cuts(int first, int run, int a_count) const {
    bool is_non_monotone = false;
    for (int b = first; b < first + 2 * run; ++b) {
      const int next = b + 1 == first + 2 * run ? a_count : shared.cuts[b + 1];
      is_non_monotone |= shared.cuts[b] > next || next - shared.cuts[b] > size_of(b);
    }
    return is_non_monotone;
  }
};

/// Merges the shares of n numbers. Others are merged by code of the kernel, as it has registers to
/// spare: with a function that it calls, it spilled some.
template <class Storage, class Array, class Compare>
GPUSORT_RARE void merge_shares_of_numbers(int me, int n, int share, Compare compare) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<Storage*>(raw);
  cluster_merge<Storage, Array, Compare>{shared, me, n, share, compare}.run();
}

/// Sorts up to Tuning::max_n elements by sample sort by the blocks of one cluster, a bucket for
/// each: each block classifies its share, puts every element into the tile of its bucket's block,
/// and sorts its own bucket. Where a bucket is too large for its block, the cluster merge sorts. An
/// element is classified once, so the output is a permutation for any comparator. Equivalent
/// elements are split by their indices. Source: paper 003, section 6; the exchange in distributed
/// shared memory is ours.
template <tuning::architecture Arch, class Tuning, class Array, class In, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block)
    cluster_sample_sort_kernel(In in, Array out, int n, int share, std::uint64_t seed,
                               Compare compare, std::uint32_t* completion) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    using T = typename Array::value_type;
    using storage = cluster_storage<Tuning, T, Compare>;
    using tile::cluster;
    constexpr int blocks = Tuning::blocks, items = Tuning::share_items;
    extern __shared__ __align__(16) unsigned char raw[];
    auto& shared = *reinterpret_cast<storage*>(raw);
    const int me = cluster::rank(), thread = static_cast<int>(threadIdx.x);
    const auto number = [&](int i) { return i * static_cast<int>(blockDim.x) + thread; };
    const auto exists = [&](int i) { return number(i) < share && me * share + number(i) < n; };

    T x[items];
    tile::load_items(
        in, x, [&](int i) { return me * share + number(i); }, exists);
    load_sample(shared, in, n, seed);
    if (thread < blocks) shared.counts[thread] = 0;
    __syncthreads();
    cluster::arrive();
    choose_splitters(shared, compare);
    __syncthreads();
    cluster::wait();
    int bucket_of[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      bucket_of[i] = exists(i) ? find_bucket(shared, x[i], me * share + number(i), compare) : -1;
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i * static_cast<int>(blockDim.x) >= share) break;
      const int rank = rank_in_bucket(shared.counts, bucket_of[i]);
      if (exists(i)) cluster::at(&shared, bucket_of[i])->tile()[me * share + rank] = x[i];
    }
    __syncthreads();
    if (thread < blocks * blocks) {
      cluster::at(shared.all_counts[me], thread / blocks)[thread % blocks] =
          shared.counts[thread % blocks];
    }
    cluster::sync();
    int size = 0;
    if (thread < blocks) {
      for (int from = 0; from < blocks; ++from) size += shared.all_counts[from][thread];
      shared.sizes[thread] = size;
    }
    using sorts = typename storage::sorts;
    const bool is_misled =
        __syncthreads_or(size > storage::max_bucket(n, static_cast<int>(blockDim.x)));
    int begin = 0, count = 0;
    tile::tile_outcome found{};
    if (is_misled) {
      begin = min_of(me * share, n);
      count = min_of(begin + share, n) - begin;
      // All blocks still hold their share.
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (exists(i)) shared.tile()[number(i)] = x[i];
      }
      __syncthreads();
    } else {
      const gapped_bucket<storage> bucket(shared, me, share);
#pragma unroll
      for (int b = 0; b < blocks; ++b) begin += b < me ? shared.sizes[b] : 0;
      count = bucket.count;
      found = put_in_tile(shared, bucket, n, compare);
    }
    if (!found.is_sorted) sort_tile<Array>(shared, found.are_expensive, count, compare);
    if (is_misled) {
      if constexpr (sorts::of_numbers) {
        merge_shares_of_numbers<storage, Array>(me, n, share, compare);
      } else {
        cluster_merge<storage, Array, Compare>{shared, me, n, share, compare}.run();
      }
    }
    tile::store_tile(out, begin, count, shared.tile());
    signal_completion(completion);
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

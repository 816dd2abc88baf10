// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cub/device/device_scan.cuh>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/scratch_cursor.hpp>
#include <vector>

#include "sample_sort_splitters.hpp"

namespace papers {

// The first level of sample sort: a pass distributes each bucket that is too long to k buckets, by
// a kernel for each step. The paper launches it for a bucket at a time but for step 1; here a
// launch has all buckets of a pass. Source: paper 003, sections 6.1 and 6.2.

/// A bucket to distribute, and its tiles among those of all buckets of the pass.
struct long_bucket {
  std::uint32_t begin, count, first_tile, tiles, seed;
};

/// Counters are laid out by long bucket, then by bucket, then by tile, then by the threads that
/// share them: their prefix sums are where each of these begins.
template <class T, int k>
struct distribution_pass {
  const long_bucket* long_buckets;
  std::uint32_t count;
  std::uint32_t items_per_tile;
  const T* from;
  T* to;
  search_tree<T, k>* trees;  // one for each long bucket
  std::uint32_t* counters;
  std::uint32_t*
      begins;  // result: of the k buckets of each; then whether bucket `equals` is sorted

  GPUSORT_DEVICE std::uint32_t bucket_of_tile(std::uint32_t tile) const {
    std::uint32_t low = 0, high = count;  // the bucket is one of [low, high)
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (long_buckets[middle].first_tile <= tile ? low : high) = middle;
    }
    return low;
  }
};

/// Holds what one block has: a tile of a long bucket.
struct distribution_tile {
  std::uint32_t index, number, begin, end;  // the long bucket; the tile in it; its elements
  long_bucket bucket;

  template <class T, int k>
  GPUSORT_DEVICE explicit distribution_tile(const distribution_pass<T, k>& pass)
      : index(pass.bucket_of_tile(blockIdx.x)), bucket(pass.long_buckets[index]) {
    number = blockIdx.x - bucket.first_tile;
    begin = bucket.begin + number * pass.items_per_tile;
    end = detail::min_of(begin + pass.items_per_tile, bucket.begin + bucket.count);
  }

  template <int k, int PerBucket>
  GPUSORT_DEVICE std::uint32_t counter(int of_bucket, int shared_by) const {
    const std::uint32_t buckets_before = k * bucket.first_tile + of_bucket * bucket.tiles;
    return (buckets_before + number) * PerBucket + shared_by;
  }
};

template <int k, class T>
GPUSORT_DEVICE void load_tree(search_tree<T, k>& to, const search_tree<T, k>& from, int threads) {
  for (int i = 1 + static_cast<int>(threadIdx.x); i < k; i += threads) to.nodes[i] = from.nodes[i];
  if (threadIdx.x == 0) to.has_one_value = from.has_one_value;
}

/// Does step 1, by a block for each long bucket.
template <class Version, class T, class Compare>
__global__ void __launch_bounds__(Version::threads)
    choose_splitters_kernel(distribution_pass<T, Version::k> pass, Compare compare) {
  __shared__ T samples[Version::a * Version::k];
  const long_bucket bucket = pass.long_buckets[blockIdx.x];
  choose_splitters<Version::threads, Version::a>(pass.from + bucket.begin, bucket.count,
                                                 std::uint64_t{bucket.seed} << 32, samples,
                                                 pass.trees[blockIdx.x], compare);
}

/// Does step 2: counts the elements of a tile by bucket. As many counters as step 4 has are stored.
template <class Version, class T, class Compare>
__global__ void __launch_bounds__(Version::threads)
    find_buckets_kernel(distribution_pass<T, Version::k> pass, Compare compare) {
  constexpr int k = Version::k, threads = Version::threads, found = Version::counters_to_find,
                scattered = Version::counters_to_scatter;
  static_assert(found % scattered == 0 && threads % found == 0);
  __shared__ search_tree<T, k> tree;
  __shared__ std::uint32_t counters[k * found];
  const distribution_tile tile(pass);
  const int thread = static_cast<int>(threadIdx.x);
  load_tree(tree, pass.trees[tile.index], threads);
  for (int i = thread; i < k * found; i += threads) counters[i] = 0;
  __syncthreads();
  for (std::uint32_t i = tile.begin + threadIdx.x; i < tile.end; i += threads) {
    atomicAdd(&counters[tree.bucket_of(pass.from[i], compare) * found + thread % found], 1u);
  }
  __syncthreads();
  for (int i = thread; i < k * scattered; i += threads) {
    const int bucket = i / scattered, shared_by = i % scattered;
    std::uint32_t sum = 0;
    for (int j = shared_by; j < found; j += scattered) sum += counters[bucket * found + j];
    pass.counters[tile.template counter<k, scattered>(bucket, shared_by)] = sum;
  }
}

/// Does step 4: moves the elements of a tile. It is skipped where one value is all that there is,
/// which the paper finds by two reductions and here the places of the buckets tell.
template <class Version, class T, class Compare>
__global__ void __launch_bounds__(Version::threads)
    scatter_kernel(distribution_pass<T, Version::k> pass, Compare compare) {
  constexpr int k = Version::k, threads = Version::threads, equals = search_tree<T, k>::equals,
                scattered = Version::counters_to_scatter;
  __shared__ search_tree<T, k> tree;
  __shared__ std::uint32_t places[k * scattered];
  __shared__ std::uint32_t begins[k];
  const distribution_tile tile(pass);
  const int thread = static_cast<int>(threadIdx.x);
  load_tree(tree, pass.trees[tile.index], threads);
  const std::uint32_t first = k * tile.bucket.first_tile * scattered;
  const std::uint32_t offset = tile.bucket.begin - pass.counters[first];
  for (int i = thread; i < k * scattered; i += threads) {
    const std::uint32_t from = tile.template counter<k, scattered>(i / scattered, i % scattered);
    places[i] = offset + pass.counters[from];
  }
  for (int i = thread; i < k; i += threads) {
    begins[i] = offset + pass.counters[first + i * tile.bucket.tiles * scattered];
    if (tile.number == 0) pass.begins[tile.index * (k + 1) + i] = begins[i];
  }
  if (tile.number == 0 && thread == 0) {
    pass.begins[tile.index * (k + 1) + k] = pass.trees[tile.index].has_one_value;
  }
  __syncthreads();
  const bool has_one_value = tree.has_one_value && begins[equals] == tile.bucket.begin &&
                             begins[equals + 1] == tile.bucket.begin + tile.bucket.count;
  if (has_one_value) return;
  for (std::uint32_t i = tile.begin + threadIdx.x; i < tile.end; i += threads) {
    const T x = pass.from[i];
    const int bucket = tree.bucket_of(x, compare);
    pass.to[atomicAdd(&places[bucket * scattered + thread % scattered], 1u)] = x;
  }
}

/// Memory for passes over up to n elements, and the passes.
template <class T, class Version>
class bucket_distribution {
 public:
  static constexpr int k = Version::k;

  bucket_distribution(detail::scratch_cursor& cursor, std::uint32_t n)
      : most_counters_(counters_of(most_tiles_at_once(n) + n / Version::M + 1)),
        long_buckets_(cursor.take<long_bucket>(n / Version::M + 1)),
        trees_(cursor.take<search_tree<T, k>>(n / Version::M + 1)),
        begins_(cursor.take<std::uint32_t>(std::uint64_t{k + 1} * (n / Version::M + 1))),
        counters_(cursor.take<std::uint32_t>(most_counters_)) {
    sum_counters(nullptr, nullptr, scan_bytes_, most_counters_);
    scan_ = cursor.take<unsigned char>(scan_bytes_);
  }

  /// Distributes the buckets, whose tiles are to be numbered yet. Returns where the new ones begin,
  /// k for each of the old ones, each time followed by whether the second one is sorted.
  template <class Compare>
  std::vector<std::uint32_t> run(cudaStream_t stream, std::vector<long_bucket>& buckets,
                                 const T* from, T* to, Compare compare) const {
    std::uint32_t elements = 0, tiles = 0;
    for (const long_bucket& bucket : buckets) elements += bucket.count;
    const std::uint32_t items_per_tile = detail::ceil_div(elements, most_tiles_at_once(elements));
    for (long_bucket& bucket : buckets) {
      bucket.first_tile = tiles;
      bucket.tiles = detail::ceil_div(bucket.count, items_per_tile);
      tiles += bucket.tiles;
    }
    copy(stream, long_buckets_, buckets.data(), buckets.size());
    const auto count = static_cast<std::uint32_t>(buckets.size());
    const distribution_pass<T, k> pass{long_buckets_, count,     items_per_tile, from, to,
                                       trees_,        counters_, begins_};
    const auto launch = [&](auto kernel, std::uint32_t blocks) {
      detail::launch(kernel, blocks, Version::threads, 0, stream, pass, compare);
    };
    launch(choose_splitters_kernel<Version, T, Compare>, count);
    launch(find_buckets_kernel<Version, T, Compare>, tiles);
    std::size_t room = scan_bytes_;
    sum_counters(stream, scan_, room, counters_of(tiles));  // step 3
    launch(scatter_kernel<Version, T, Compare>, tiles);
    std::vector<std::uint32_t> begins((k + 1) * buckets.size());
    copy(stream, begins.data(), begins_, begins.size());
    detail::check(cudaStreamSynchronize(stream), "reading where buckets begin");
    return begins;
  }

 private:
  /// Bounds the counters, as the paper does by a number that it does not tell.
  static std::uint32_t most_tiles_at_once(std::uint32_t n) {
    constexpr std::uint32_t most_tiles = 2048, fewest_items = 8 * Version::threads;
    return detail::min_of(most_tiles, detail::ceil_div(n, fewest_items));
  }

  static std::uint32_t counters_of(std::uint32_t tiles) {
    return tiles * (Version::k * Version::counters_to_scatter);
  }

  void sum_counters(cudaStream_t stream, void* temporary, std::size_t& room,
                    std::uint32_t count) const {
    detail::check(
        cub::DeviceScan::ExclusiveSum(temporary, room, counters_, counters_, count, stream),
        "summing counters");
  }

  template <class Element>
  static void copy(cudaStream_t stream, Element* to, const Element* from, std::size_t count) {
    detail::check(cudaMemcpyAsync(to, from, count * sizeof(Element), cudaMemcpyDefault, stream),
                  "copying what is known of buckets");
  }

  std::uint32_t most_counters_;
  long_bucket* long_buckets_;
  search_tree<T, k>* trees_;
  std::uint32_t* begins_;
  std::uint32_t* counters_;
  void* scan_ = nullptr;
  std::size_t scan_bytes_ = 0;
};

}  // namespace papers

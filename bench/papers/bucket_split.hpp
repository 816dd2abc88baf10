// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "bucket_pivots.hpp"
#include "list_table.hpp"

namespace papers {

// The split into buckets: each element's bucket, and its slot there, are stored when it is counted.
// Source: paper 001, section 5.1, figures 4 and 6.

inline constexpr int histogram_bins = 1024;
inline constexpr int bucket_threads = 256;
inline constexpr int bucket_items = 8;  // of a thread: pivots are loaded once for all of a block's

/// Tells where an element goes.
struct bucket_slots {
  std::uint32_t* buckets;
  std::uint32_t* slots;
};

/// Counts buckets; the bucket of an element is the number of pivots that are not above it, by
/// binary search. Source: figure 4. The paper has no NaNs. No pivot is above one, so the search
/// would leave them in the last bucket: they are counted in one more, number `Lists`, which nothing
/// sorts.
template <int Threads, int Items, int Lists>
__global__ void __launch_bounds__(Threads)
    count_buckets_kernel(const float* in, std::uint64_t n, const float* pivots, bucket_slots where,
                         std::uint32_t* counts) {
  static_assert((Lists & (Lists - 1)) == 0, "the search halves them");
  __shared__ float shared_pivots[Lists];
  for (int i = static_cast<int>(threadIdx.x); i < Lists - 1; i += Threads) {
    shared_pivots[i] = pivots[i];
  }
  __syncthreads();
  std::uint64_t i = std::uint64_t{blockIdx.x} * (Threads * Items) + threadIdx.x;
  for (int item = 0; item < Items && i < n; ++item, i += Threads) {
    const float x = in[i];
    std::uint32_t bucket = 0;
#pragma unroll
    for (std::uint32_t half = Lists / 2; half > 0; half /= 2) {
      if (!(x < shared_pivots[bucket + half - 1])) bucket += half;
    }
    if (x != x) bucket = Lists;
    where.buckets[i] = bucket;
    where.slots[i] = atomicAdd(counts + bucket, 1u);
  }
}

/// Fills the buckets; figure 6.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    fill_buckets_kernel(const float* in, std::uint64_t n, bucket_slots where, list_table table,
                        float* out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * Threads + threadIdx.x;
  if (i >= n) return;
  out[4 * std::uint64_t{table.begins[where.buckets[i]]} + where.slots[i]] = in[i];
}

template <int Lists>
class bucket_split {
 public:
  bucket_split(detail::scratch_cursor& cursor, std::uint32_t n)
      : n_(n),
        range_(cursor.take<value_range>(1)),
        bins_(cursor.take<std::uint32_t>(histogram_bins)),
        pivots_{cursor.take<float>(Lists), cursor.take<float>(Lists)},
        where_{cursor.take<std::uint32_t>(n), cursor.take<std::uint32_t>(n)} {}

  /// Chooses pivots by interpolation and histogram.
  void choose_pivots(cudaStream_t stream, const float* data) {
    constexpr int threads = 512;
    const std::size_t blocks = blocks_of_strides(n_, threads);
    clear(stream, range_, 1);
    clear(stream, bins_, histogram_bins);
    detail::launch(find_range_kernel<threads>, blocks, threads, 0, stream, data, n_, range_);
    detail::launch(histogram_kernel<threads, histogram_bins>, blocks, threads, 0, stream, data, n_,
                   range_, bins_);
    using bins = even_bins<histogram_bins>;
    detail::launch(refine_pivots_kernel<table_threads, histogram_bins, Lists, bins>, 1,
                   table_threads, 0, stream, bins_, bins{range_}, pivots_[0]);
  }

  /// Returns the pivots, on the device: Lists - 1, ascending.
  const float* pivots() const { return pivots_[0]; }

  /// Counts the buckets. Each of `recounts` times their sizes refine the pivots, and they are
  /// counted again.
  void count(cudaStream_t stream, const float* data, list_table& table, int recounts) {
    table.sorted_lists = Lists;
    count_once(stream, data, table);
    for (int i = 0; i < recounts; ++i) {
      using bins = bins_between_pivots<Lists>;
      detail::launch(refine_pivots_kernel<table_threads, Lists, Lists, bins>, 1, table_threads, 0,
                     stream, table.counts, bins{range_, pivots_[0]}, pivots_[1]);
      std::swap(pivots_[0], pivots_[1]);
      count_once(stream, data, table);
    }
  }

  void fill(cudaStream_t stream, const float* data, const list_table& table, float* elements) {
    detail::launch(fill_buckets_kernel<bucket_threads>,
                   detail::ceil_div<std::size_t>(n_, bucket_threads), bucket_threads, 0, stream,
                   data, n_, where_, table, elements);
  }

 private:
  template <class T>
  static void clear(cudaStream_t stream, T* data, std::size_t count) {
    detail::check(cudaMemsetAsync(data, 0, count * sizeof(T), stream), "clearing counters");
  }

  void count_once(cudaStream_t stream, const float* data, const list_table& table) {
    clear(stream, table.counts, table.lists());
    detail::launch(count_buckets_kernel<bucket_threads, bucket_items, Lists>,
                   detail::ceil_div<std::size_t>(n_, bucket_threads * bucket_items), bucket_threads,
                   0, stream, data, n_, pivots_[0], where_, table.counts);
  }

  std::uint64_t n_;
  value_range* range_;
  std::uint32_t* bins_;
  float* pivots_[2];
  bucket_slots where_;
};

}  // namespace papers

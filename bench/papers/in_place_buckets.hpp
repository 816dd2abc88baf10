// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/tile/block_merge_sort.hpp>
#include <gpusort/detail/tile/sample.hpp>

namespace papers {

namespace detail = gpusort::detail;
namespace tile = gpusort::detail::tile;

// A distribution sort in place, as IPS4o is one on CPUs: threads distribute what they read to
// buffers, write full buffers back over what they have read, and exchange these blocks until those
// of a bucket are together. Scratch does not grow with the input. An answer to a question that
// paper 000 leaves open.

inline constexpr int in_place_threads = 512;
inline constexpr int in_place_buckets = 256;
inline constexpr int in_place_sample = 1024;

/// Elements of a block, of which each bucket has a buffer in shared memory.
template <class T>
inline constexpr int in_place_block = static_cast<int>(256 / sizeof(T));

/// Splitters of a segment: distinct values, ascending. If the sample repeats a value, each splitter
/// has a bucket of the elements that are equivalent to it.
template <class T>
struct in_place_splitters {
  T values[in_place_buckets - 1];
  int count;
  bool has_equal;

  GPUSORT_DEVICE int buckets() const { return (has_equal ? 2 : 1) * count + 1; }
  GPUSORT_DEVICE bool is_of_equals(int bucket) const { return has_equal && bucket % 2 == 1; }

  template <class Compare>
  GPUSORT_DEVICE int bucket_of(const T& x, Compare& compare) const {
    int low = 0, high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (compare(x, values[middle])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (!has_equal) return low;
    return low > 0 && !compare(values[low - 1], x) ? 2 * low - 1 : 2 * low;
  }

  /// Takes the splitters of `ranges` >= 4 equal parts of a sorted sample. By one thread. At least
  /// one is taken, and if it is the only one, it has its bucket: no segment stays whole.
  template <class Sample, class Compare>
  GPUSORT_DEVICE void take(Sample& sample, int ranges, Compare& compare) {
    count = 0;
    has_equal = false;
    for (int i = 1; i < ranges; ++i) {
      const T candidate = sample[i * in_place_sample / ranges];
      if (count > 0 && !compare(values[count - 1], candidate)) {
        has_equal = true;
      } else {
        values[count++] = candidate;
      }
    }
    if (!has_equal || 2 * count + 1 <= in_place_buckets) return;
    count /= 2;
    for (int i = 0; i < count; ++i) values[i] = values[2 * i + 1];
  }
};

template <class T>
using in_place_sample_sort =
    tile::block_merge_sort<T, in_place_threads, in_place_sample / in_place_threads, false>;

/// Chooses the splitters of a segment from a random sample. Block-wide; ends with a barrier.
template <class T, class Compare>
GPUSORT_DEVICE void choose_in_place_splitters(typename in_place_sample_sort<T>::storage& sample,
                                              const T* data, std::uint64_t n,
                                              in_place_splitters<T>& splitters, int ranges,
                                              Compare& compare) {
  constexpr int log_sample = detail::ceil_log2(in_place_sample);
  tile::for_each_sample(log_sample, n, n, [&](std::uint64_t i, std::uint64_t index) {
    sample.tile[static_cast<int>(i)] = data[index];
  });
  __syncthreads();
  in_place_sample_sort<T>::sort(sample, in_place_sample, compare);
  if (threadIdx.x == 0) splitters.take(sample.tile, ranges, compare);
  __syncthreads();
}

/// The buffers of a block of threads.
template <class T>
struct in_place_buffers {
  using block_scan = cub::BlockScan<std::uint32_t, in_place_threads>;

  T items[in_place_buckets * in_place_block<T>];
  std::uint32_t held[in_place_buckets];    // in the buffer
  std::uint32_t counts[in_place_buckets];  // in the tile
  std::uint32_t full[in_place_buckets];    // blocks that both make
  std::uint32_t first[in_place_buckets];   // of these blocks
  typename block_scan::TempStorage scan;

  /// Distributes a stripe: its full blocks, each of one bucket, are then at its beginning, and the
  /// rest is in the buffers. Returns how many blocks there are; `mine` becomes how many the bucket
  /// of the thread has. Block-wide; ends with a barrier.
  template <class Compare>
  GPUSORT_DEVICE std::uint32_t distribute(T* data, std::uint64_t n,
                                          const in_place_splitters<T>& splitters, Compare& compare,
                                          std::uint32_t& mine) {
    constexpr int block = in_place_block<T>, items_per_thread = 8;
    const int me = static_cast<int>(threadIdx.x);
    std::uint32_t written = 0;
    mine = 0;
    if (me < in_place_buckets) held[me] = 0;
    for (std::uint64_t begin = 0; begin < n; begin += items_per_thread * in_place_threads) {
      if (me < in_place_buckets) counts[me] = 0;
      __syncthreads();
      T x[items_per_thread];
      std::uint32_t at[items_per_thread];  // bucket and rank
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        const std::uint64_t index = begin + i * in_place_threads + me;
        if (index >= n) break;
        x[i] = data[index];
        const auto bucket = static_cast<std::uint32_t>(splitters.bucket_of(x[i], compare));
        at[i] = bucket | atomicAdd(counts + bucket, 1u) << 16;
      }
      __syncthreads();
      written += find_full_blocks(written, mine);
      flush(data);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < items_per_thread; ++i) {
        if (begin + i * in_place_threads + me < n) put(data, x[i], at[i] & 0xffff, at[i] >> 16);
      }
      __syncthreads();
      if (me < in_place_buckets) held[me] = (held[me] + counts[me]) % block;
    }
    __syncthreads();
    return written;
  }

 private:
  /// Returns the number of blocks. Block-wide; ends with a barrier.
  GPUSORT_DEVICE std::uint32_t find_full_blocks(std::uint32_t written, std::uint32_t& mine) {
    const int me = static_cast<int>(threadIdx.x);
    const std::uint32_t blocks =
        me < in_place_buckets ? (held[me] + counts[me]) / in_place_block<T> : 0;
    std::uint32_t before, all;
    block_scan(scan).ExclusiveSum(blocks, before, all);
    if (me < in_place_buckets) {
      full[me] = blocks;
      first[me] = written + before;
    }
    mine += blocks;
    __syncthreads();
    return all;
  }

  /// Writes what buffers hold of full blocks.
  GPUSORT_DEVICE void flush(T* data) const {
    constexpr int block = in_place_block<T>;
    for (int b = tile::warp_id(); b < in_place_buckets; b += in_place_threads / tile::warp_size) {
      if (full[b] == 0) continue;
      for (std::uint32_t j = tile::lane_id(); j < held[b]; j += tile::warp_size) {
        data[std::uint64_t{first[b]} * block + j] = items[b * block + j];
      }
    }
  }

  GPUSORT_DEVICE void put(T* data, const T& x, std::uint32_t bucket, std::uint32_t rank) {
    constexpr std::uint32_t block = in_place_block<T>;
    const std::uint32_t place = held[bucket] + rank, in_blocks = full[bucket] * block;
    if (place < in_blocks) {
      data[std::uint64_t{first[bucket]} * block + place] = x;
    } else {
      items[bucket * block + place - in_blocks] = x;
    }
  }
};

}  // namespace papers

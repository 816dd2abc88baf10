// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "in_place_buckets.hpp"

namespace papers {

/// A segment whose full blocks are of one bucket each, at the beginnings of equal stripes. What is
/// below is in global memory where several blocks of threads share a segment, and else in shared
/// memory. Block b * in_place_block is where block b begins.
template <class T>
struct in_place_table {
  static constexpr std::uint32_t block = in_place_block<T>;

  T* data;
  std::uint64_t n;
  std::uint32_t stripes, blocks_per_stripe;
  const in_place_splitters<T>* splitters;
  std::uint64_t* starts;       // of buckets, and n
  std::uint32_t* firsts;       // the first block in each bucket's range, and the first beyond all
  std::uint32_t* blocks;       // of each bucket
  std::uint32_t* full;         // blocks of each stripe
  std::uint32_t* full_before;  // of the stripes before, and of all
  unsigned long long* unread;  // of each bucket: the next block to write, and the end of full ones
  std::uint32_t* reading;      // who reads a block of the bucket's range
  T* beyond;                   // room for a block, which the segment may end within

  GPUSORT_DEVICE std::uint32_t whole_blocks() const {
    return static_cast<std::uint32_t>(n / block);
  }

  /// Returns the full blocks before a block.
  GPUSORT_DEVICE std::uint32_t rank(std::uint32_t b) const {
    const std::uint32_t stripe = b / blocks_per_stripe;
    if (stripe >= stripes) return full_before[stripes];
    return full_before[stripe] + detail::min_of(b - stripe * blocks_per_stripe, full[stripe]);
  }

  /// Returns the full block of a rank.
  GPUSORT_DEVICE std::uint32_t select(std::uint32_t rank) const {
    std::uint32_t low = 0, high = stripes;  // the stripe is one of [low, high)
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (full_before[middle] <= rank ? low : high) = middle;
    }
    return low * blocks_per_stripe + rank - full_before[low];
  }

  /// Returns the bucket in whose range a block is.
  GPUSORT_DEVICE int range_of(std::uint32_t b) const {
    int low = 0, high = splitters->buckets();
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (firsts[middle] <= b ? low : high) = middle;
    }
    return low;
  }

  GPUSORT_DEVICE std::uint32_t full_in_range(int bucket) const {
    return rank(firsts[bucket + 1]) - rank(firsts[bucket]);
  }

  /// Returns where a block lies; the one that the segment ends within is beyond it.
  GPUSORT_DEVICE T* at(std::uint32_t b) const {
    return b < whole_blocks() ? data + std::uint64_t{b} * block : beyond;
  }
};

/// Finds the ranges of buckets from their counts. By one block; begins and ends with a barrier.
template <class T>
GPUSORT_DEVICE void lay_out_buckets(const in_place_table<T>& table, const std::uint64_t* counts) {
  const int buckets = table.splitters->buckets();
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint64_t start = 0;
    for (int b = 0; b <= buckets; ++b) {
      table.starts[b] = start;
      table.firsts[b] = static_cast<std::uint32_t>((start + table.block - 1) / table.block);
      if (b < buckets) start += counts[b];
    }
    std::uint32_t before = 0;
    for (std::uint32_t stripe = 0; stripe <= table.stripes; ++stripe) {
      table.full_before[stripe] = before;
      if (stripe < table.stripes) before += table.full[stripe];
    }
  }
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < buckets; b += in_place_threads) {
    const std::uint32_t first = table.firsts[b];
    table.unread[b] =
        static_cast<unsigned long long>(first) << 32 | (first + table.full_in_range(b));
    table.reading[b] = 0;
  }
  __syncthreads();
}

/// Fills the empty blocks at the beginning of a range by full ones from its end: those of a stripe,
/// by the block of threads that has it.
template <class T>
GPUSORT_DEVICE void close_gaps(const in_place_table<T>& table, std::uint32_t stripe) {
  constexpr int warps = in_place_threads / tile::warp_size;
  const std::uint32_t begin = stripe * table.blocks_per_stripe;
  const std::uint32_t end = detail::min_of(begin + table.blocks_per_stripe, table.whole_blocks());
  for (std::uint32_t b = begin + table.full[stripe] + tile::warp_id(); b < end; b += warps) {
    const int bucket = table.range_of(b);
    const std::uint32_t first = table.firsts[bucket], full = table.full_in_range(bucket);
    if (b - first >= full) continue;
    const std::uint32_t gap = b - first - (table.rank(b) - table.rank(first));
    const T* const from = table.at(table.select(table.rank(first + full) + gap));
    T* const to = table.at(b);
    for (int i = tile::lane_id(); i < in_place_block<T>; i += tile::warp_size) to[i] = from[i];
  }
}

/// A block in the registers of a warp.
template <class T>
struct held_block {
  static constexpr int each = (in_place_block<T> + tile::warp_size - 1) / tile::warp_size;
  T x[each];

  GPUSORT_DEVICE void load(const T* from) {
    for_each([&](int i, int at) { x[i] = from[at]; });
  }
  GPUSORT_DEVICE void store(T* to) const {
    for_each([&](int i, int at) { to[at] = x[i]; });
  }

 private:
  template <class Body>
  static GPUSORT_DEVICE void for_each(const Body& body) {
#pragma unroll
    for (int i = 0; i < each; ++i) {
      const int at = i * tile::warp_size + tile::lane_id();
      if (at < in_place_block<T>) body(i, at);
    }
  }
};

/// Takes the last unread block of a bucket's range, if there is one. By a warp. Readers are counted
/// from before they take a block until they have it, as another warp may be about to write there.
template <class T>
GPUSORT_DEVICE bool take_block(const in_place_table<T>& table, int bucket, held_block<T>& held) {
  unsigned long long taken = 0;
  if (tile::lane_id() == 0) {
    const auto is_there = [](unsigned long long u) { return (u & 0xffffffff) > u >> 32; };
    unsigned long long seen = atomicAdd(table.unread + bucket, 0ull);
    if (is_there(seen)) {
      atomicAdd(table.reading + bucket, 1u);
      __threadfence();
      while (is_there(seen)) {
        const unsigned long long found = atomicCAS(table.unread + bucket, seen, seen - 1);
        if (found == seen) break;
        seen = found;
      }
      if (is_there(seen)) {
        taken = seen & 0xffffffff;  // the end, so not 0
      } else {
        atomicSub(table.reading + bucket, 1u);
      }
    }
  }
  taken = __shfl_sync(tile::full_warp, taken, 0);
  if (taken == 0) return false;
  held.load(table.at(static_cast<std::uint32_t>(taken) - 1));
  __threadfence();
  __syncwarp();
  if (tile::lane_id() == 0) atomicSub(table.reading + bucket, 1u);
  return true;
}

/// Puts the held block where its bucket's next one belongs. True where another block was there,
/// which is held then. By a warp.
template <class T, class Compare>
GPUSORT_DEVICE bool place_block(const in_place_table<T>& table, held_block<T>& held,
                                Compare& compare) {
  unsigned long long before = 0;
  int bucket = 0;
  if (tile::lane_id() == 0) {
    bucket = table.splitters->bucket_of(held.x[0], compare);
    before = atomicAdd(table.unread + bucket, 1ull << 32);
    __threadfence();
  }
  before = __shfl_sync(tile::full_warp, before, 0);
  bucket = __shfl_sync(tile::full_warp, bucket, 0);
  const auto next = static_cast<std::uint32_t>(before >> 32);
  T* const to = table.at(next);
  if (next < (before & 0xffffffff)) {
    held_block<T> other;
    other.load(to);
    held.store(to);
    held = other;
    return true;
  }
  for (bool waits = true; waits;) {
    if (tile::lane_id() == 0) waits = atomicAdd(table.reading + bucket, 0u) != 0;
    waits = __shfl_sync(tile::full_warp, waits, 0);
  }
  __threadfence();
  held.store(to);
  return false;
}

/// Exchanges blocks until those of each bucket follow each other from the bucket's first block on.
/// By all warps that share a segment, each of which begins at another bucket.
template <class T, class Compare>
GPUSORT_DEVICE void exchange_blocks(const in_place_table<T>& table, std::uint32_t warp,
                                    std::uint32_t warps, Compare& compare) {
  const auto buckets = static_cast<std::uint32_t>(table.splitters->buckets());
  const std::uint32_t begin = static_cast<std::uint32_t>(std::uint64_t{warp} * buckets / warps);
  held_block<T> held;
  for (std::uint32_t i = 0; i < buckets; ++i) {
    const int bucket = static_cast<int>((begin + i) % buckets);
    while (take_block(table, bucket, held)) {
      while (place_block(table, held, compare)) {
      }
    }
  }
}

}  // namespace papers

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "in_place_exchange.hpp"

namespace papers {

/// Elements left in the buffers of each stripe, by bucket.
template <class T>
struct in_place_leftovers {
  const T* items;
  const std::uint32_t* counts;

  GPUSORT_DEVICE std::size_t index(std::uint32_t stripe, int bucket) const {
    return std::size_t{stripe} * in_place_buckets + static_cast<std::size_t>(bucket);
  }
};

/// Elements of each bucket's last block that lie beyond the bucket's range, where the next one
/// begins.
template <class T>
struct in_place_overflow {
  T* items;
  std::uint32_t* counts;
};

/// Saves a bucket's overflow, or its last block where that lies beyond the segment. By a warp.
template <class T>
GPUSORT_DEVICE void save_overflow(const in_place_table<T>& table,
                                  const in_place_overflow<T>& overflow, int bucket) {
  constexpr std::uint32_t block = in_place_block<T>;
  const std::uint32_t blocks = table.blocks[bucket], end = table.firsts[bucket] + blocks;
  const bool is_beyond = blocks > 0 && end > table.whole_blocks();
  const T* from = table.beyond;
  std::uint32_t count = is_beyond ? block : 0;
  if (blocks > 0 && !is_beyond) {
    const std::uint64_t last = table.starts[bucket + 1], written = std::uint64_t{end} * block;
    if (written > last) {
      from = table.data + last;
      count = static_cast<std::uint32_t>(written - last);
    }
  }
  for (std::uint32_t i = tile::lane_id(); i < count; i += tile::warp_size) {
    overflow.items[static_cast<std::uint32_t>(bucket) * block + i] = from[i];
  }
  __syncwarp();  // all have read the number of blocks
  if (tile::lane_id() != 0) return;
  overflow.counts[bucket] = count;
  if (is_beyond) table.blocks[bucket] = blocks - 1;
}

/// Places of a bucket's range that whole blocks do not cover: before the first and after the last.
struct in_place_holes {
  std::uint64_t begin, after;
  std::uint64_t before;  // elements before the first block

  template <class T>
  GPUSORT_DEVICE in_place_holes(const in_place_table<T>& table, int bucket)
      : begin(table.starts[bucket]) {
    const std::uint64_t first = std::uint64_t{table.firsts[bucket]} * table.block;
    const bool has_blocks = table.blocks[bucket] > 0;
    before = (has_blocks ? first : table.starts[bucket + 1]) - begin;
    after = first + std::uint64_t{table.blocks[bucket]} * table.block;
  }
  GPUSORT_DEVICE std::uint64_t place(std::uint64_t i) const {
    return i < before ? begin + i : after + (i - before);
  }
};

/// Copies elements to a bucket's holes from the i-th place on. By a warp.
template <class T>
GPUSORT_DEVICE void copy_to_holes(T* data, const in_place_holes& holes, std::uint64_t i,
                                  const T* from, std::uint32_t count) {
  for (std::uint32_t j = tile::lane_id(); j < count; j += tile::warp_size) {
    data[holes.place(i + j)] = from[j];
  }
}

/// Fills a bucket's holes by its overflow and by what is left of it in the buffers of one stripe.
/// By a warp, after all overflow is saved.
template <class T>
GPUSORT_DEVICE void fill_holes(const in_place_table<T>& table, const in_place_overflow<T>& overflow,
                               const in_place_leftovers<T>& leftovers, int bucket) {
  const in_place_holes holes(table, bucket);
  const std::size_t at = leftovers.index(0, bucket);
  const std::uint32_t saved = overflow.counts[bucket];
  copy_to_holes(table.data, holes, 0, overflow.items + at * table.block, saved);
  copy_to_holes(table.data, holes, saved, leftovers.items + at * table.block, leftovers.counts[at]);
}

/// Fills them by what is left in the buffers of all stripes. Block-wide, after all overflow is
/// saved; `offsets` has room for a number of each stripe.
template <class T>
GPUSORT_DEVICE void fill_holes_from_stripes(const in_place_table<T>& table,
                                            const in_place_overflow<T>& overflow,
                                            const in_place_leftovers<T>& leftovers, int bucket,
                                            std::uint32_t* offsets) {
  constexpr std::uint32_t warps = in_place_threads / tile::warp_size;
  const auto warp = static_cast<std::uint32_t>(tile::warp_id());
  const in_place_holes holes(table, bucket);
  for (std::uint32_t s = threadIdx.x; s < table.stripes; s += in_place_threads) {
    offsets[s] = leftovers.counts[leftovers.index(s, bucket)];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t sum = overflow.counts[bucket];
    for (std::uint32_t s = 0; s < table.stripes; ++s) {
      const std::uint32_t count = offsets[s];
      offsets[s] = sum;
      sum += count;
    }
  }
  __syncthreads();
  if (warp == 0) {
    copy_to_holes(table.data, holes, 0, overflow.items + leftovers.index(0, bucket) * table.block,
                  overflow.counts[bucket]);
  }
  for (std::uint32_t s = warp; s < table.stripes; s += warps) {
    const std::size_t at = leftovers.index(s, bucket);
    copy_to_holes(table.data, holes, offsets[s], leftovers.items + at * table.block,
                  leftovers.counts[at]);
  }
}

}  // namespace papers

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <gpusort/detail/tile/exchange.hpp>
#include <gpusort/detail/tile/pieces.hpp>
#include <gpusort/detail/tile/warp_scan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

// A stable sort of bools and their values: a block puts those of its share that come first,
// falses or trues, after those of the blocks before, and the others likewise. Any byte but 0 is
// true, and bytes are moved as they are.

/// The bools that are partitioned, of which each block has `share`.
struct bool_shares {
  const std::uint8_t* keys;
  std::uint64_t n;
  std::uint64_t share;
  bool first;  // what comes first

  GPUSORT_DEVICE bool is_first(std::uint64_t i) const { return (keys[i] != 0) == first; }
  GPUSORT_DEVICE std::uint64_t begin() const { return min_of(blockIdx.x * share, n); }
  GPUSORT_DEVICE std::uint64_t end() const { return min_of((blockIdx.x + 1) * share, n); }
};

/// Counts, in pass 1: counts[b] becomes how many of block b's bools come first.
template <class Tuning>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block)
    count_first_bools_kernel(bool_shares in, unsigned long long* counts) {
  __shared__ std::uint32_t trues;
  const std::uint64_t begin = in.begin(), count = in.end() - begin;
  const std::uint8_t* const keys = in.keys + begin;
  const tile::pieces<std::uint32_t, const std::uint8_t> parts(keys, count);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) trues = 0;
  __syncthreads();
  std::uint32_t mine = 0;
  if (thread < parts.head) mine += keys[thread] != 0;
  if (thread < parts.tail) mine += keys[parts.tail_begin() + thread] != 0;
  tile::for_each_piece<Tuning::pieces_in_flight>(parts, [&](std::uint32_t word) {
    // The highest bit of each byte: of its other bits' carry, or its own.
    mine += __popc((((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u);
  });
  mine = tile::warp_sum(mine);
  if (tile::lane_id() == 0) atomicAdd(&trues, mine);
  __syncthreads();
  if (thread == 0) counts[blockIdx.x] = in.first ? trues : count - trues;
}

/// Partitions, in pass 2. `keys_out` and `values_out` are other arrays than those of the input.
template <class Tuning, class Value>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block, Tuning::blocks_resident)
    partition_bools_kernel(bool_shares in, const Value* values, std::uint8_t* keys_out,
                           Value* values_out, const unsigned long long* counts) {
  constexpr int items = Tuning::items_per_thread,
                warps = Tuning::threads_per_block / tile::warp_size;
  constexpr bool has_values = !std::is_same_v<Value, no_value>;
  __shared__ unsigned long long before_block, in_all;
  __shared__ std::uint32_t firsts_of_warp[2][warps];  // of this tile, and of the next one
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) before_block = in_all = 0;
  __syncthreads();
  unsigned long long before = 0, all = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += Tuning::threads_per_block) {
    all += counts[b];
    before += b < blockIdx.x ? counts[b] : 0;
  }
  atomicAdd(&before_block, before);
  atomicAdd(&in_all, all);
  __syncthreads();
  std::uint64_t first_at = before_block, other_at = in_all + (in.begin() - before_block);

  int which = 0;
  const int in_tile = tile::warp_id() * items * tile::warp_size + tile::lane_id();
  for (std::uint64_t begin = in.begin(); begin < in.end(); begin += Tuning::items_per_tile) {
    const int count =
        static_cast<int>(min_of<std::uint64_t>(in.end() - begin, Tuning::items_per_tile));
    std::uint8_t key[items];
    Value value[has_values ? items : 1];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = in_tile + i * tile::warp_size;
      if (at < count) {
        key[i] = in.keys[begin + at];
        if constexpr (has_values) value[i] = values[begin + at];
      }
    }
    std::uint32_t rank[items], firsts = 0;  // of this warp's items so far
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const bool is_first = in_tile + i * tile::warp_size < count && (key[i] != 0) == in.first;
      const unsigned found = __ballot_sync(tile::full_warp, is_first);
      rank[i] = firsts + __popc(found & ((1u << tile::lane_id()) - 1));
      firsts += __popc(found);
    }
    if (tile::lane_id() == 0) firsts_of_warp[which][tile::warp_id()] = firsts;
    __syncthreads();
    std::uint32_t before_warp = 0, in_this_tile = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) {
      before_warp += w < tile::warp_id() ? firsts_of_warp[which][w] : 0;
      in_this_tile += firsts_of_warp[which][w];
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = in_tile + i * tile::warp_size;
      if (at >= count) continue;
      const std::uint32_t firsts_before = before_warp + rank[i];
      const std::uint64_t to =
          (key[i] != 0) == in.first ? first_at + firsts_before : other_at + (at - firsts_before);
      keys_out[to] = key[i];
      if constexpr (has_values) values_out[to] = value[i];
    }
    first_at += in_this_tile;
    other_at += count - in_this_tile;
    which ^= 1;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/grid_barrier.hpp>
#include <gpusort/detail/kernel/signal_completion.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/byte_counts.hpp>
#include <gpusort/detail/tile/short_counts.hpp>
#include <gpusort/detail/tile/short_destinations.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

// Counting sort: every block counts its share, adds its counts to the totals of all, and writes its
// share of the output from the totals. All of the input is read before anything is written, so the
// output may be the input.

/// The keys of one block.
struct block_share {
  std::uint64_t begin;
  std::uint64_t end;

  GPUSORT_DEVICE block_share(std::uint64_t n, std::uint64_t keys_per_block)
      : begin(min_of(blockIdx.x * keys_per_block, n)), end(min_of(begin + keys_per_block, n)) {}
};

/// Clears the totals, all blocks together.
GPUSORT_DEVICE void clear_totals(unsigned long long* totals, int count) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) totals[i] = 0;
}

/// Adds to the totals, which have been cleared: step 1 of two launches.
template <class Counts>
GPUSORT_KERNEL void __launch_bounds__(Counts::tuning::threads_per_block,
                                      Counts::tuning::blocks_resident)
    count_keys_kernel(typename Counts::order order, const typename Counts::key* in, std::uint64_t n,
                      std::uint64_t keys_per_block, unsigned long long* totals) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& counts = *reinterpret_cast<Counts*>(raw);
  const block_share share(n, keys_per_block);
  counts.clear();
  __syncthreads();
  counts.count(order, in + share.begin, share.end - share.begin, totals);
  __syncthreads();
  counts.add_to(order, totals);
}

/// Fills the output by the counts: step 2.
template <class Destinations>
GPUSORT_KERNEL void __launch_bounds__(Destinations::threads_per_block)
    fill_by_counts_kernel(typename Destinations::order order, typename Destinations::key* out,
                          std::uint64_t n, std::uint64_t keys_per_block,
                          const unsigned long long* totals) {
  extern __shared__ __align__(16) unsigned char raw[];
  const block_share share(n, keys_per_block);
  reinterpret_cast<Destinations*>(raw)->fill(order, out, share.begin, share.end, totals);
}

/// Sorts keys of one byte in both steps: a cooperative launch, unless the block is alone and needs
/// no totals.
template <class Counts>
GPUSORT_KERNEL void __launch_bounds__(Counts::tuning::threads_per_block,
                                      Counts::tuning::blocks_resident)
    sort_bytes_kernel(typename Counts::order order, const typename Counts::key* in,
                      typename Counts::key* out, std::uint64_t n, std::uint64_t keys_per_block,
                      unsigned long long* totals, std::uint32_t* completion) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto& counts = *reinterpret_cast<Counts*>(raw);
  const block_share share(n, keys_per_block);
  if (totals != nullptr) clear_totals(totals, Counts::total_count);
  counts.clear();
  __syncthreads();
  counts.count(order, in + share.begin, share.end - share.begin, totals);
  __syncthreads();
  if (totals != nullptr) {
    const grid_barrier grid{};
    grid.sync();
    counts.add_to(order, totals);
    grid.sync();
  }
  counts.fill(order, out, share.begin, share.end, totals);
  signal_completion(completion);
}

template <class Destinations>
struct few_shorts_storage {
  std::uint32_t segments[tile::short_totals::segments];  // how many keys of each this block has
  union {
    std::uint16_t counters[tile::short_totals::values];  // only those that some key has are used
    Destinations destinations;
  };
};

/// Sorts few keys of two bytes in both steps, in a cooperative launch: a block has no more keys
/// than threads, and looks at no counter that none of them has.
template <class Destinations>
GPUSORT_KERNEL void __launch_bounds__(Destinations::threads_per_block)
    sort_few_shorts_kernel(typename Destinations::order order, const typename Destinations::key* in,
                           typename Destinations::key* out, std::uint64_t n,
                           std::uint64_t keys_per_block, unsigned long long* totals) {
  using storage = few_shorts_storage<Destinations>;
  extern __shared__ __align__(16) unsigned char raw[];
  auto& shared = *reinterpret_cast<storage*>(raw);
  const grid_barrier grid{};
  const block_share share(n, keys_per_block);
  const int thread = static_cast<int>(threadIdx.x);
  const bool exists = share.begin + thread < share.end;
  const unsigned value = exists ? order.encode(in[share.begin + thread]) : 0;
  auto* const words = reinterpret_cast<std::uint32_t*>(shared.counters);
  const unsigned shift = value % 2 * 16;

  clear_totals(totals, tile::short_totals::count);
  if (thread < tile::short_totals::segments) shared.segments[thread] = 0;
  if (exists) words[value / 2] = 0;
  grid.sync();
  bool is_first = false;
  if (exists) {
    is_first = (atomicAdd(words + value / 2, 1u << shift) >> shift & 0xffff) == 0;
    atomicAdd(shared.segments + value / tile::short_totals::values_per_segment, 1u);
  }
  __syncthreads();
  if (is_first) atomicAdd(totals + value, shared.counters[value]);
  if (thread < tile::short_totals::segments && shared.segments[thread] > 0) {
    atomicAdd(totals + tile::short_totals::values + thread, shared.segments[thread]);
  }
  grid.sync();
  shared.destinations.fill(order, out, share.begin, share.end, totals);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/bucket_table.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/tile/exchange.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Returns what some thread of the block has found.
GPUSORT_DEVICE std::uint32_t found_by_block(std::uint32_t found) {
  const bool ascending = !__syncthreads_or(found & not_ascending);
  const bool descending = !__syncthreads_or(found & not_descending);
  return (ascending ? 0 : not_ascending) | (descending ? 0 : not_descending);
}

/// Looks at the pairs of neighbours that begin in block `probe`'s share of the input, until both
/// orders are out of the question. Warps go on by themselves, so that no load waits for a barrier;
/// past the end of a share the last pair is looked at again, so that none waits for a branch.
/// Block-wide.
template <class In, class Compare>
GPUSORT_DEVICE std::uint32_t find_violations(const In& in, global_size n, int probe, int probes,
                                             Compare& compare) {
  using fetched = fetched_element_t<In>;
  // Loads in flight. Measured on an H200: 2^24 numbers of 8 bytes take 5% less time with eight
  // pairs than with four; 2^22 records of 128 bytes, read through indices, 6% less with one than
  // with four.
  constexpr int pairs_per_thread = follows_indices<Compare> ? 1 : sizeof(fetched) <= 8 ? 8 : 4;
  const global_size share = ceil_div<global_size>(n - 1, probes);
  const global_size begin = share * probe, end = min_of(begin + share, n - 1);
  const auto has_warp_found = [](std::uint32_t bits) {
    return __any_sync(tile::full_warp, bits != 0) != 0;
  };
  std::uint32_t found = 0;
  for (global_size first = begin; first < end; first += pairs_per_thread * blockDim.x) {
    fetched left[pairs_per_thread], right[pairs_per_thread];
#pragma unroll
    for (int k = 0; k < pairs_per_thread; ++k) {
      const global_size i = min_of(first + k * blockDim.x + threadIdx.x, end - 1);
      left[k] = fetch(in, i);
      right[k] = fetch(in, i + 1);
    }
#pragma unroll
    for (int k = 0; k < pairs_per_thread; ++k) {
      const auto a = hold(in, left[k]), b = hold(in, right[k]);
      found |= compare(b, a) ? not_ascending : not_descending;
    }
    if (has_warp_found(found & not_ascending) && has_warp_found(found & not_descending)) break;
  }
  return found_by_block(found);
}

/// Returns what all blocks of the probe have found together. Block-wide.
GPUSORT_DEVICE std::uint32_t all_violations(const sortedness& probe) {
  std::uint32_t found = 0;
  for (int i = threadIdx.x; i < probe.blocks; i += blockDim.x) found |= probe.violations[i];
  return found_by_block(found);
}

/// Whether the input is in order, by what all blocks of the probe have found, which is written down
/// for the kernels that follow. Block-wide.
GPUSORT_DEVICE bool publish_sortedness(const sortedness& probe) {
  const std::uint32_t found = all_violations(probe);
  if (blockIdx.x == 0 && threadIdx.x == 0) *probe.all = found;
  return found != neither;
}

/// Sorts an input that is ascending, or strictly descending.
template <class In, class Array>
GPUSORT_DEVICE void put_in_order(const In& in, const Array& out, global_size n,
                                 bool is_descending) {
  const global_size stride = global_size{gridDim.x} * blockDim.x;
  const global_size thread = global_size{blockIdx.x} * blockDim.x + threadIdx.x;
  if (is_descending) {
    for (global_size i = thread; i < n - n / 2; i += stride) {
      const auto a = in.load(i), b = in.load(n - 1 - i);
      out.store(i, b);
      out.store(n - 1 - i, a);
    }
    return;
  }
  if constexpr (std::is_same_v<In, Array>) {
    if (in.keys == out.keys) return;
  }
  for (global_size i = thread; i < n; i += stride) out.store(i, in.load(i));
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

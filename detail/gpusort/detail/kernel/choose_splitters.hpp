// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/kernel/fit_linear_map.hpp>
#include <gpusort/detail/kernel/probe.hpp>
#include <gpusort/detail/kernel/sampler.hpp>
#include <gpusort/detail/support/cycles_now.hpp>
#include <gpusort/detail/support/sample_seed.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Returns a seed that all threads of the block share. Block-wide.
GPUSORT_DEVICE std::uint64_t seed_of_block(sample_seed seed) {
  __shared__ std::uint64_t own;
  if (threadIdx.x == 0) {
    own = seed.bits;
    if (!seed.is_chosen) own ^= mix_bits(static_cast<std::uint64_t>(cycles_now()));
  }
  __syncthreads();
  return own;
}

/// Finds the splitters of each block's segment: step 1. Also clears the segment's counters. On the
/// first level blocks beyond the segments probe the input meanwhile.
template <tuning::architecture Arch, class Sorter, class In, class T, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Sorter::threads_per_block)
    choose_splitters_kernel(In in, segment_table segments, bucket_table<T> level,
                            int log_oversample, sample_seed seed, Compare compare) {
  if constexpr (tuning::is_compiled_here<Arch>) {
    extern __shared__ __align__(16) unsigned char raw[];
    wait_for_previous_kernel();
    auto& shared = *reinterpret_cast<typename Sorter::storage*>(raw);
    const std::uint32_t segment = blockIdx.x;
    if (segment >= segments.segments) {
      const int probe = static_cast<int>(segment - segments.segments);
      const std::uint32_t found =
          segments.gate.is_set()
              ? find_violations(in, segments.n, probe, segments.probe.blocks, compare)
              : 0;
      if (threadIdx.x == 0) segments.probe.violations[probe] = found;
      return;
    }
    const int k = 1 << level.log_k;
    const global_size begin = segments.start(segment), count = segments.count(segment);
    const global_size table = global_size{segment} * k;
    const bool is_equal = segments.is_equal(segment);
    for (int b = threadIdx.x; b < k; b += blockDim.x) {
      level.counts[table + b] = 0;
      level.starts[table + b] = begin;
      level.equal[table + b] = is_equal && b == 0 ? inherited_equal : not_equal;
    }
    if (threadIdx.x == 0) level.arrivals[segment] = 0;
    if (segment == 0 && threadIdx.x == 0 && level.sorting != nullptr) *level.sorting = {};
    if constexpr (tile::order_preserving_bits<T, Compare>::is_known) {
      if (threadIdx.x == 0) level.maps[segment] = {};
    }
    if (count == 0 || is_equal || !segments.gate.is_set()) return;
    load_sample(
        shared.tile, [&](global_size i) { return in.load(segments.index_of(segment, i)); }, count,
        level.log_k + log_oversample, seed_of_block(seed) + table);
    __syncthreads();
    if constexpr (tile::order_preserving_bits<T, Compare>::is_known) {
      const tile::linear_map map =
          fit_linear_map<In, T, Compare>(shared.tile, level.log_k, log_oversample);
      if (threadIdx.x == 0) level.maps[segment] = map;
      if (map.is_used()) return;
    }
    Sorter::sort(shared, 1 << (level.log_k + log_oversample), compare);
    __shared__ distinct_splitters few;
    T* const nodes = level.trees + table;
    std::uint8_t* const equal = level.equal + table;
    const int levels = write_distinct_splitters(few, shared.tile, log_oversample, level.log_k,
                                                nodes, equal, compare);
    if (levels == 0) {
      write_splitters(shared.tile, log_oversample, level.log_k, nodes, equal, compare);
    }
    if (threadIdx.x == 0) level.tree_levels[segment] = levels == 0 ? level.log_k : levels;
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

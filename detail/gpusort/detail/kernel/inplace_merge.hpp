// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/inplace_merge.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The n elements as segments of 2^log_segment, the last perhaps shorter. One segment is the runs
/// [0, middle) and [middle, n); of more, a_counts[index >> log_finest] is the length of run a in
/// the segment that begins at `index`.
struct inplace_merge_level {
  std::uint64_t n;
  std::uint64_t middle;
  std::uint64_t* a_counts;
  int log_segment;
  int log_finest;

  GPUSORT_DEVICE std::uint64_t& a_count_at(std::uint64_t index) const {
    return a_counts[index >> log_finest];
  }

  GPUSORT_DEVICE std::uint64_t half() const { return std::uint64_t{1} << (log_segment - 1); }

  /// Returns what is after a segment's first half; from n on if it has no other.
  GPUSORT_DEVICE std::uint64_t half_of(std::uint64_t segment) const {
    return (segment << log_segment) + half();
  }

  GPUSORT_DEVICE tile::segment at(std::uint64_t segment) const {
    const std::uint64_t begin = segment << log_segment;
    const std::uint64_t end = min_of(begin + (std::uint64_t{1} << log_segment), n);
    return {begin, end, end - begin == n ? middle : a_count_at(begin)};
  }
};

/// Halves the segments, first step: the lengths of runs a in the halves. A thread finds, and is the
/// only one to read and to write, those of one segment.
template <int ThreadsPerBlock, class Elements, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    inplace_merge_split_kernel(Array data, inplace_merge_level level, Compare compare) {
  const std::uint64_t segment = std::uint64_t{blockIdx.x} * ThreadsPerBlock + threadIdx.x;
  if (level.half_of(segment) >= level.n) return;
  const tile::segment runs = level.at(segment);
  const std::uint64_t left = tile::find_half<Elements>(data, runs, level.half(), compare);
  level.a_count_at(runs.begin) = left;
  level.a_count_at(level.half_of(segment)) = runs.a_count - left;
}

/// Rotates, second and third step: the parts of the rotations and then all of them. Index i of each
/// first half stands for swap i of its segment's rotation; a block has 2^log_swaps of one segment.
template <int ThreadsPerBlock, bool Parts, class Array>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    inplace_merge_rotate_kernel(Array data, inplace_merge_level level, int log_swaps) {
  const std::uint64_t index = std::uint64_t{blockIdx.x} << log_swaps;
  const std::uint64_t segment = index >> (level.log_segment - 1);
  if (level.half_of(segment) >= level.n) return;
  const std::uint64_t begin = segment << level.log_segment, half = level.half();
  const tile::rotation rotated =
      tile::rotation::halving(begin, half, level.a_count_at(begin), level.a_count_at(begin + half));
  const std::uint64_t first = index & (half - 1), swaps = rotated.swaps<Parts>();
  if (first >= swaps) return;
  tile::rotate<Parts>(data, rotated, first, min_of(swaps - first, std::uint64_t{1} << log_swaps));
}

/// Merges one of the finest segments in each block.
template <class Elements, class Array, class Compare>
GPUSORT_KERNEL void __launch_bounds__(Elements::threads_per_block)
    inplace_merge_finish_kernel(Array data, inplace_merge_level level, Compare compare) {
  __shared__ tile::inplace_merge_storage<Elements> shared;
  tile::merge_segment<Elements>(shared, data, level.at(blockIdx.x),
                                level.log_segment - ceil_log2(Elements::items_per_tile), compare);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

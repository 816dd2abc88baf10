// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/kernel/quicksort_state.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/segment_offsets.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Names who sorts a segment, by its length: of two elements and more, up to the limit of each
/// class. The first classes are sorted by groups of ever more lanes, then two by blocks.
enum segment_class {
  group_classes = 6,
  in_block = group_classes,
  in_wide_block,
  as_piece,
  as_sequence,
  segment_classes,
};

struct segment_totals {
  global_size listed[segment_classes];  // but for pieces, which quicksort counts
  std::uint32_t is_non_monotone;        // some offset is less than one before
};

/// Segments by class, in any order: each one word of where it begins and how long it is. Pieces go
/// to quicksort's list.
struct segment_lists {
  static constexpr int count_bits = 16;

  std::uint64_t* words[as_piece];
  quicksort_piece* pieces;
  quicksort_part* sequences;
  segment_totals* totals;
  quicksort_totals* piece_totals;
  std::uint32_t limits[as_sequence];  // the most elements of a segment of each class
  global_size room[segment_classes];  // for segments of each class: enough unless some overlap

  /// Tells whether segments overlap: nothing is sorted then, for who knows what was meant.
  GPUSORT_DEVICE bool is_non_monotone() const { return totals->is_non_monotone != 0; }

  GPUSORT_DEVICE int class_of(global_size count) const {
    if (count < 2) return segment_classes;
    int c = 0;
#pragma unroll
    for (int i = 0; i < as_sequence; ++i) c += count > limits[i];
    return c;
  }

  // Selected, not indexed: indexed, the kernel's parameters would be copied to local memory.
  GPUSORT_DEVICE std::uint64_t* words_of(int c) const {
    std::uint64_t* found = words[0];
#pragma unroll
    for (int i = 1; i < as_piece; ++i) found = c == i ? words[i] : found;
    return found;
  }
  GPUSORT_DEVICE global_size room_of(int c) const {
    global_size found = room[0];
#pragma unroll
    for (int i = 1; i < segment_classes; ++i) found = c == i ? room[i] : found;
    return found;
  }

  /// Reserves `count` entries in the list of class c, and returns the first one.
  GPUSORT_DEVICE global_size reserve(int c, std::uint32_t count) const {
    if (c == as_piece) return atomicAdd(&piece_totals->pieces, count);
    return atomicAdd(totals->listed + c, global_size{count});
  }

  /// Lists nothing where there is no room: then is_non_monotone().
  GPUSORT_DEVICE void list(int c, global_size slot, global_size begin, global_size count) const {
    if (slot >= room_of(c)) return;
    if (c == as_piece) {
      pieces[slot] = {begin, count, quicksort_piece::in_input, false};
    } else if (c == as_sequence) {
      sequences[slot] = {begin, count, false};
    } else {
      words_of(c)[slot] = begin << count_bits | count;
    }
  }

  static GPUSORT_DEVICE global_size begin_of(std::uint64_t word) { return word >> count_bits; }
  static GPUSORT_DEVICE int count_of(std::uint64_t word) {
    return static_cast<int>(word & ((1u << count_bits) - 1));
  }
};

/// Returns how many lanes in front of this one have the same class, and how many there are before
/// the warp's in the block, which `counts` takes up. All lanes of the warp call.
GPUSORT_DEVICE std::uint32_t rank_in_class(std::uint32_t* counts, int c) {
  const unsigned same = __match_any_sync(tile::full_warp, c);
  const int first = __ffs(static_cast<int>(same)) - 1;
  std::uint32_t before = 0;
  if (tile::lane_id() == first) before = atomicAdd(counts + c, __popc(same));
  return __shfl_sync(tile::full_warp, before, first) + __popc(same & ((1u << tile::lane_id()) - 1));
}

/// Returns an offset inside [0, n].
template <class Offset>
GPUSORT_DEVICE global_size clamped_offset(Offset offset, global_size n) {
  if constexpr (std::is_signed_v<Offset>) {
    if (offset < 0) return 0;
  }
  return min_of<global_size>(static_cast<global_size>(offset), n);
}

/// Lists each of k segments by its class: first step.
template <int ThreadsPerBlock, class Offset>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    list_segments_kernel(segment_offsets<Offset> offsets, global_size n, segment_lists lists) {
  __shared__ std::uint32_t counts[segment_classes + 1];
  __shared__ global_size firsts[segment_classes];
  wait_for_previous_kernel();
  const int thread = static_cast<int>(threadIdx.x);
  if (thread <= segment_classes) counts[thread] = 0;
  __syncthreads();
  const global_size i = global_size{blockIdx.x} * ThreadsPerBlock + thread;
  global_size begin = 0, end = 0;
  if (i < offsets.k) {
    const Offset first = offsets.begins[i], last = offsets.ends[i];
    const Offset next = i + 1 < offsets.k ? offsets.begins[i + 1] : last;
    if (last < first || next < last) lists.totals->is_non_monotone = 1;
    begin = clamped_offset(first, n);
    end = clamped_offset(last, n);
  }
  const int c = end > begin ? lists.class_of(end - begin) : segment_classes;
  const std::uint32_t rank = rank_in_class(counts, c);
  __syncthreads();
  if (thread < segment_classes && counts[thread] > 0) {
    firsts[thread] = lists.reserve(thread, counts[thread]);
  }
  __syncthreads();
  if (c < segment_classes) lists.list(c, firsts[c] + rank, begin, end - begin);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

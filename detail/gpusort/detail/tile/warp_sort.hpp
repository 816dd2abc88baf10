// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/thread_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// A warp sorts 32 * ItemsPerThread items in registers: position p is item p % ItemsPerThread of
// lane p / ItemsPerThread. Of each exchange between two lanes one of them makes the only
// comparison: the lanes trade half of their items, each exchanges the pairs it then holds, and they
// trade back. So no two threads can disagree, and each lane compares half as often as when both
// would.

/// The first step of a merge of two neighbouring runs, mirrored: position p of the lower run meets
/// its mirror image in the upper run, so both runs may be ascending.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void exchange_mirrored(T (&x)[ItemsPerThread], int lanes, int count,
                                      Compare& compare) {
  const int lane = lane_id();
  const bool is_lower = (lane & (lanes / 2)) == 0;
  const int upper_lane = is_lower ? lane ^ (lanes - 1) : lane;
#pragma unroll
  for (int i = 0; i < ItemsPerThread / 2; ++i) {
    const int mirror = ItemsPerThread - 1 - i;
    T other = shuffle_xor(x[mirror], lanes - 1);
    const int upper_position = upper_lane * ItemsPerThread + (is_lower ? mirror : i);
    if (IsFull || upper_position < count) {
      const T lower_item = select(is_lower, x[i], other);
      const T upper_item = select(is_lower, other, x[i]);
      swap_if(compare(upper_item, lower_item), x[i], other);
    }
    x[mirror] = shuffle_xor(other, lanes - 1);
  }
}

/// A half-cleaner: item i of a lane meets item i of the lane `stride` above.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void exchange_lanes(T (&x)[ItemsPerThread], int stride, int count,
                                   Compare& compare) {
  constexpr int half = ItemsPerThread / 2;
  const int lane = lane_id();
  const bool is_lower = (lane & stride) == 0;
  const int upper_lane = is_lower ? lane + stride : lane;
#pragma unroll
  for (int i = 0; i < half; ++i) {
    T mine = select(is_lower, x[i], x[i + half]);
    T other = shuffle_xor(select(is_lower, x[i + half], x[i]), stride);
    if (IsFull || upper_lane * ItemsPerThread + i + (is_lower ? 0 : half) < count) {
      const T lower_item = select(is_lower, mine, other);
      const T upper_item = select(is_lower, other, mine);
      swap_if(compare(upper_item, lower_item), mine, other);
    }
    other = shuffle_xor(other, stride);
    x[i] = select(is_lower, mine, other);
    x[i + half] = select(is_lower, other, mine);
  }
}

/// Sorts the first `count` of the warp's items, all of them when IsFull; not stable. All 32 lanes
/// call it with the same count. Source: paper 004 (bitonic sort with virtual padding), in its
/// mirrored form.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void warp_sort(T (&x)[ItemsPerThread], int count, Compare& compare) {
  static_assert(ItemsPerThread >= 2, "lanes trade halves of their items");
  constexpr int log_items = ceil_log2(ItemsPerThread);
  const int valid = count - lane_id() * ItemsPerThread;
  thread_sort<IsFull, ItemsPerThread>(x, valid, compare);
  // The loops over lanes stay loops: unrolled, the code of several sizes and of both kinds of tiles
  // outgrows the instruction cache, which costs more than the loops (docs/performance.md).
#pragma unroll 1
  for (int lanes = 2; lanes <= warp_size; lanes *= 2) {
    if (!IsFull && count <= ItemsPerThread * lanes / 2) break;  // one run; so in every lane
    exchange_mirrored<IsFull, ItemsPerThread>(x, lanes, count, compare);
#pragma unroll 1
    for (int stride = lanes / 4; stride > 0; stride /= 2) {
      exchange_lanes<IsFull, ItemsPerThread>(x, stride, count, compare);
    }
#pragma unroll
    for (int b = log_items - 1; b >= 0; --b) {
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        if ((i & (1 << b)) == 0 && (IsFull || i + (1 << b) < valid)) {
          compare_exchange(x[i], x[i + (1 << b)], compare);
        }
      }
    }
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/tile/thread_network_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// A warp sorts 32 * ItemsPerThread items in registers: position p is item p % ItemsPerThread of
// lane p / ItemsPerThread. In each exchange between two lanes one of them makes the only
// comparison: the lanes trade half of their items, each exchanges the pairs it then holds, and they
// trade back. So no two threads can disagree, and each lane compares half as often as when both
// would. Where a lane holds the upper items of its pairs, equivalent ones are swapped: that costs
// nothing, and saves arranging them for the comparison.

/// Makes the first step of a merge of two neighbouring runs, mirrored: position p of the lower run
/// meets its mirror image in the upper run, so both runs may be ascending.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void exchange_mirrored(T (&x)[ItemsPerThread], int lanes, int count,
                                      Compare& compare) {
  const int lane = lane_id();
  const bool is_upper = (lane & (lanes / 2)) != 0;
  const int upper_lane = is_upper ? lane : lane ^ (lanes - 1);
#pragma unroll
  for (int i = 0; i < ItemsPerThread / 2; ++i) {
    const int mirror = ItemsPerThread - 1 - i;
    T other = shuffle_xor(x[mirror], lanes - 1);
    const bool exists = IsFull || upper_lane * ItemsPerThread + (is_upper ? i : mirror) < count;
    swap_if(exists && compare(other, x[i]) != is_upper, x[i], other);
    x[mirror] = shuffle_xor(other, lanes - 1);
  }
}

template <int ItemsPerThread, class T>
GPUSORT_DEVICE void swap_halves_if(bool condition, T (&x)[ItemsPerThread]) {
  constexpr int half = ItemsPerThread / 2;
#pragma unroll
  for (int i = 0; i < half; ++i) swap_if(condition, x[i], x[i + half]);
}

/// Makes half-cleaners of lanes `stride` apart, half of that, ..., then of items in a lane: sorts
/// the first `count` items if they, and padding after them, are a bitonic sequence. In a
/// half-cleaner item i of a lane meets item i of the lane `stride` above. Lanes of odd parity keep
/// their halves swapped meanwhile. Partners differ in parity, so that every lane exchanges the same
/// registers.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void warp_bitonic_merge(T (&x)[ItemsPerThread], int stride, int count,
                                       Compare& compare) {
  constexpr int half = ItemsPerThread / 2;
  const int lane = lane_id();
  const bool is_swapped = (__popc(lane) & 1) != 0;
  swap_halves_if(is_swapped, x);
  // The loops over lanes stay loops: unrolled, the code of several sizes and of both kinds of tiles
  // outgrows the instruction cache, which costs more than the loops (docs/performance/notebook).
#pragma unroll 1
  for (; stride > 0; stride /= 2) {
    const bool is_upper = (lane & stride) != 0;
    const int first = (lane | stride) * ItemsPerThread + (is_swapped ? half : 0);
#pragma unroll
    for (int i = 0; i < half; ++i) {
      T other = shuffle_xor(x[i + half], stride);
      const bool exists = IsFull || first + i < count;
      swap_if(exists && compare(other, x[i]) != is_upper, x[i], other);
      x[i + half] = shuffle_xor(other, stride);
    }
  }
  // Where all items exist, the first exchanges within a lane bring its halves into order.
  if constexpr (!IsFull) swap_halves_if(is_swapped, x);
  thread_network_merge<IsFull, false>(x, count - lane * ItemsPerThread, compare);
}

/// Sorts the first `count` items of each group of `lanes` lanes, a power of two; not stable. When
/// IsFull all may be compared. All 32 lanes call it, those of a group with the same count, and all
/// with the largest count of any group as `most`. Source: paper 004 (bitonic sort with virtual
/// padding), in its mirrored form.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void lane_group_bitonic_sort(T (&x)[ItemsPerThread], int lanes, int count, int most,
                                            Compare& compare) {
  static_assert(ItemsPerThread >= 2, "lanes trade halves of their items");
  // As if the items of the groups before belonged to the group, so that lanes have one number each.
  count += (lane_id() & (warp_size - lanes)) * ItemsPerThread;
  thread_network_sort<IsFull, ItemsPerThread>(x, count - lane_id() * ItemsPerThread, compare);
#pragma unroll 1
  for (int merged = 2; merged <= lanes; merged *= 2) {
    if (most <= ItemsPerThread * merged / 2) break;  // one run; so in every lane
    exchange_mirrored<IsFull, ItemsPerThread>(x, merged, count, compare);
    warp_bitonic_merge<IsFull, ItemsPerThread>(x, merged / 4, count, compare);
  }
}

/// Sorts by all lanes together.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void warp_bitonic_sort(T (&x)[ItemsPerThread], int count, Compare& compare) {
  lane_group_bitonic_sort<IsFull, ItemsPerThread>(x, warp_size, count, count, compare);
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

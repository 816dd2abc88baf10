// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/tile/exchange.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

// One thread sorts its registers. When IsFull all items may be compared. Otherwise only the first
// `valid` exist; padding is a suffix, and an exchange whose upper item is padding would change
// nothing, so it is skipped and padding is never compared. Every exchange is ascending, which is
// what makes the skipping right.

/// Sorts stably by odd-even transposition: N (N - 1) / 2 exchanges of neighbours.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void thread_network_sort_stable(T (&x)[ItemsPerThread], int valid,
                                               Compare& compare) {
#pragma unroll
  for (int round = 0; round < ItemsPerThread; ++round) {
#pragma unroll
    for (int i = round & 1; i + 1 < ItemsPerThread; i += 2) {
      compare_exchange(x[i], x[i + 1], IsFull || i + 1 < valid, compare);
    }
  }
}

/// Merges the two halves, not stably, of which the first is descending and the second ascending;
/// or, mirrored, both ascending.
template <bool IsFull, bool Mirrored, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void thread_network_merge(T (&x)[ItemsPerThread], int valid, Compare& compare) {
  static_assert((ItemsPerThread & (ItemsPerThread - 1)) == 0, "the network wants a power of two");
  constexpr int steps = ceil_log2(ItemsPerThread);
#pragma unroll
  for (int step = steps - 1; step >= 0; --step) {
    const int half = 1 << step;
#pragma unroll
    for (int i = 0; i < ItemsPerThread; ++i) {
      const int upper = Mirrored && step == steps - 1 ? ItemsPerThread - 1 - i : i | half;
      if ((i & half) == 0) compare_exchange(x[i], x[upper], IsFull || upper < valid, compare);
    }
  }
}

/// Sorts by Batcher's odd-even merge sort, not stably, any number of items: those up to a power of
/// two would be padding. The trip counts are constants, and those of exponents: other loops are not
/// unrolled, or before their bounds are known, which makes the code several times as long.
template <bool IsFull, int ItemsPerThread, class T, class Compare>
GPUSORT_DEVICE void thread_network_sort(T (&x)[ItemsPerThread], int valid, Compare& compare) {
  constexpr int log_items = ceil_log2(ItemsPerThread);
#pragma unroll
  for (int a = 0; a < log_items; ++a) {
#pragma unroll
    for (int b = 0; b < log_items; ++b) {
      const int merged = 2 << a;                     // items in a run that this round completes
      const int stride = b <= a ? 1 << (a - b) : 1;  // distance of the two items of an exchange
      const int skip = stride % (1 << a);  // all but the first step leave each run's ends alone
#pragma unroll
      for (int i = 0; i < ItemsPerThread; ++i) {
        const bool in_network = b <= a && i + stride < ItemsPerThread && i >= skip &&
                                (i - skip) % (2 * stride) < stride &&
                                i / merged == (i + stride) / merged;
        if (in_network) {
          compare_exchange(x[i], x[i + stride], IsFull || i + stride < valid, compare);
        }
      }
    }
  }
}

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

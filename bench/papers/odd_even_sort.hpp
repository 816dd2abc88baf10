// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace papers {

/// Sorts n items in shared memory by Batcher's odd-even merge sort. Any n: pairs whose upper place
/// is not below n do nothing. Called by all threads of a block, and ends with a barrier. Source:
/// paper 003, sections 5.3.2 and 6.2.
template <int Threads, class T, class Compare>
GPUSORT_DEVICE void odd_even_sort(T* items, int n, Compare& compare) {
  __syncthreads();
  for (int sorted = 1; sorted < n; sorted *= 2) {
    const int merged = 2 * sorted;
    for (int stride = sorted; stride > 0; stride /= 2) {
      const int shift = stride == sorted ? 0 : stride;
      for (int i = static_cast<int>(threadIdx.x);; i += Threads) {
        const int lower = 2 * i - (i & (stride - 1)) + shift, upper = lower + stride;
        if (upper >= n) break;
        if ((lower & (merged - 1)) + stride >= merged) continue;
        const T x = items[lower], y = items[upper];
        if (compare(y, x)) {
          items[lower] = y;
          items[upper] = x;
        }
      }
      __syncthreads();
    }
  }
}

}  // namespace papers

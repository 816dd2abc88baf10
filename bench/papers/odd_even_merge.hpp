// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_window.hpp"

namespace papers {

/// Batcher's odd-even merge network: as many steps as bitonic_merge, fewer exchanges in all but the
/// first, and idle threads instead. Source: paper 003, section 5.3.2.
template <class T, int Width>
struct odd_even_merge {
  static constexpr bool is_stable = false;

  template <class Compare>
  static GPUSORT_DEVICE void merge(T* items, int a_count, int b_count, Compare& compare) {
    const merge_window<Width> window(a_count, b_count);
    const int i = static_cast<int>(threadIdx.x);
    window.exchange(items, i, Width + i, compare);
    __syncthreads();
#pragma unroll
    for (int stride = Width / 2; stride > 0; stride /= 2) {
      const int lower = 2 * i - (i & (stride - 1)) + stride;
      if (i < Width - stride) window.exchange(items, lower, lower + stride, compare);
      __syncthreads();
    }
  }
};

}  // namespace papers

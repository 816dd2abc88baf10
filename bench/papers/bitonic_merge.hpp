// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_window.hpp"

namespace papers {

/// Batcher's bitonic merge network. Its first step pairs each place with its mirror image, so that
/// both runs may be ascending. Width * log2(2 * Width) exchanges. Source: paper 003, section 5.3.2.
template <class T, int Width>
struct bitonic_merge {
  static constexpr bool is_stable = false;

  template <class Compare>
  static GPUSORT_DEVICE void merge(T* items, int a_count, int b_count, Compare& compare) {
    const merge_window<Width> window(a_count, b_count);
    const int i = static_cast<int>(threadIdx.x);
    window.exchange(items, i, 2 * Width - 1 - i, compare);
    __syncthreads();
#pragma unroll
    for (int stride = Width / 2; stride > 0; stride /= 2) {
      const int lower = 2 * i - (i & (stride - 1));
      window.exchange(items, lower, lower + stride, compare);
      __syncthreads();
    }
  }
};

}  // namespace papers

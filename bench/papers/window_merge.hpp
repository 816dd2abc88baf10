// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/launch.hpp>

#include "cut_runs.hpp"
#include "merge_window.hpp"

namespace papers {

/// Loads a part, merges it at once by Method and stores it, in each block. No piece of a part is
/// longer than Width.
template <int Width, template <class, int> class Method, class Array, class Compare>
__global__ void __launch_bounds__(Width)
    window_merge_kernel(cut_runs<Array, 2> from, Array out, Compare compare) {
  using T = typename Array::value_type;
  __shared__ T items[2 * Width];
  const auto a = from.of(blockIdx.x, 0), b = from.of(blockIdx.x, 1);
  const int a_count = static_cast<int>(a.count), b_count = static_cast<int>(b.count);
  const int i = static_cast<int>(threadIdx.x);
  T* const merged = items + Width - a_count;
  if (i < a_count) merged[i] = a.array.load(i);
  if (i < b_count) items[Width + i] = b.array.load(i);
  __syncthreads();
  Method<T, Width>::merge(items, a_count, b_count, compare);
  const Array to = out + from.merged_begin(blockIdx.x);
  for (int place = i; place < a_count + b_count; place += Width) to.store(place, merged[place]);
}

/// Merges every part of two runs by a method alone.
template <int Width, template <class, int> class Method>
struct window_merge {
  template <class Array, class Compare>
  static void run(cudaStream_t stream, const cut_runs<Array, 2>& from, std::size_t parts,
                  const Array& out, Compare compare) {
    detail::launch(window_merge_kernel<Width, Method, Array, Compare>, parts, Width, 0, stream,
                   from, out, compare);
  }
};

}  // namespace papers

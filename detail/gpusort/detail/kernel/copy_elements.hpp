// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/page_table.hpp>
#include <gpusort/detail/support/array.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Copies [first, last) of one array into another. A thread reads up to 32 bytes before it writes:
/// a read for each write waits for memory each time, and a byte takes as long as a word.
/// Block-wide, without barriers.
template <class From, class To>
GPUSORT_DEVICE void copy_elements(const From& from, const To& to, global_size first,
                                  global_size last) {
  using element = typename From::value_type;
  constexpr int in_flight = sizeof(element) < 4    ? 8
                            : sizeof(element) < 32 ? 32 / sizeof(element)
                                                   : 1;
  for (global_size i = first + threadIdx.x; i < last; i += in_flight * blockDim.x) {
    fetched_element_t<From> x[in_flight];
#pragma unroll
    for (int j = 0; j < in_flight; ++j) {
      if (i + j * blockDim.x < last) x[j] = fetch(from, i + j * blockDim.x);
    }
#pragma unroll
    for (int j = 0; j < in_flight; ++j) {
      if (i + j * blockDim.x < last) to.store(i + j * blockDim.x, hold(from, x[j]));
    }
  }
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

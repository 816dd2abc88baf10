// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// out[i] = in[i] for i < n: from a range to a contiguous copy of it, or back.
template <class T, class In, class Out>
GPUSORT_KERNEL void __launch_bounds__(256) copy_range_kernel(In in, Out out, std::uint64_t n) {
  const std::uint64_t i = blockIdx.x * std::uint64_t{256} + threadIdx.x;
  if (i < n) out[i] = static_cast<T>(in[i]);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

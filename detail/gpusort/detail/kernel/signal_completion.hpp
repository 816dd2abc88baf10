// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Signals completion, as the last thing a block does, if the host wants to know: what its threads
/// have written is visible everywhere before its word is.
GPUSORT_DEVICE void signal_completion(std::uint32_t* words) {
  if (words == nullptr) return;
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence_system();
  *static_cast<volatile std::uint32_t*>(words + blockIdx.x) = 1;
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

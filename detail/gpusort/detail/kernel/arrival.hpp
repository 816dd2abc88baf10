// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Returns true in the last of `blocks` calling blocks, which sees what the others wrote before.
/// `ticket` is 0 before the first call. Block-wide.
GPUSORT_DEVICE bool is_last_to_arrive(std::uint32_t* ticket, std::uint64_t blocks) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(ticket, 1u) + 1 == blocks;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

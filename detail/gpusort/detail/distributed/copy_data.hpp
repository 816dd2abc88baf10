// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <gpusort/detail/support/config.hpp>

#if GPUSORT_CUDA
#include <cuda_runtime_api.h>

#include <gpusort/detail/support/check.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Copies between host memory, or between any memory that the driver knows. Done when it returns.
template <bool OnDevice>
void copy_data(void* to, const void* from, std::size_t bytes) {
#if GPUSORT_CUDA
  if constexpr (OnDevice) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying between ranks");
    // Within device memory it returns before it is done.
    return check(cudaStreamSynchronize(nullptr), "copying between ranks");
  }
#endif
  if (bytes != 0) std::memcpy(to, from, bytes);
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

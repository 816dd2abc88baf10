// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns a function of the driver, which the runtime finds, so that nobody has to link with the
/// driver; null where the driver is older than the function. Function is decltype(&...) of cuda.h.
template <class Function>
Function driver_function(const char* name, unsigned first_version_of_cuda) noexcept {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  if (cudaGetDriverEntryPointByVersion(name, &found, first_version_of_cuda, cudaEnableDefault,
                                       &result) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return result == cudaDriverEntryPointSuccess ? reinterpret_cast<Function>(found) : nullptr;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

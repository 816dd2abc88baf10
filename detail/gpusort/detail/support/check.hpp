// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

[[noreturn]] GPUSORT_LINKABLE void throw_cuda_error(cudaError_t status, const char* doing);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE void throw_cuda_error(cudaError_t status, const char* doing) {
  throw cuda_error(static_cast<int>(status),
                   error_text(std::string(doing) + ": " + cudaGetErrorName(status) + ": " +
                              cudaGetErrorString(status)));
}
#endif

}  // namespace GPUSORT_LINKED

/// Throws gpusort::cuda_error when a CUDA call did not succeed; `doing` says at what.
inline void check(cudaError_t status, const char* doing) {
  if (status != cudaSuccess) {
    cudaGetLastError();  // a non-sticky error is ours to report, and must not meet the next caller
    throw_cuda_error(status, doing);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

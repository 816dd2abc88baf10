// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <gpusort/detail/support/check.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The one place that launches kernels; always checked. Dynamic shared memory beyond 48 KB is
/// opted into here, for the current device. A grid of no block is no launch.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
            std::size_t dynamic_smem, cudaStream_t stream, const Arguments&... arguments) {
  if (blocks == 0) return;
  constexpr std::size_t smem_without_opt_in = 48 * 1024;
  if (dynamic_smem > smem_without_opt_in) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(dynamic_smem)),
          "raising a kernel's shared memory limit");
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads_per_block));
  config.dynamicSmemBytes = dynamic_smem;
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
        "launching a kernel");
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// What a launch asks for beyond a grid.
enum class launch_kind { plain, early, cooperative };

template <class... Parameters, class... Arguments>
void launch_as(launch_kind kind, void (*kernel)(Parameters...), std::size_t blocks,
               int threads_per_block, std::size_t dynamic_smem, cudaStream_t stream,
               const Arguments&... arguments) {
  if (blocks == 0) return;
  constexpr std::size_t smem_without_opt_in = 48 * 1024;
  if (dynamic_smem > smem_without_opt_in) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(dynamic_smem)),
          "raising a kernel's shared memory limit");
  }
  cudaLaunchAttribute attribute{};
  if (kind == launch_kind::cooperative) {
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  } else {
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads_per_block));
  config.dynamicSmemBytes = dynamic_smem;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = kind == launch_kind::plain ? 0 : 1;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
        "launching a kernel");
}

/// The one place that launches kernels; always checked. Dynamic shared memory beyond 48 KB is
/// opted into here, for the current device. A grid of no block is no launch.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
            std::size_t dynamic_smem, cudaStream_t stream, const Arguments&... arguments) {
  launch_as(launch_kind::plain, kernel, blocks, threads_per_block, dynamic_smem, stream,
            arguments...);
}

/// The same for a kernel that begins with wait_for_previous_kernel(): where the device can, its
/// blocks are set up while the kernel before it still runs.
template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
                  std::size_t dynamic_smem, cudaStream_t stream, const Arguments&... arguments) {
  constexpr int first_that_can = 90;
  const bool can = current_device_properties().compute_capability >= first_that_can;
  launch_as(can ? launch_kind::early : launch_kind::plain, kernel, blocks, threads_per_block,
            dynamic_smem, stream, arguments...);
}

/// The same for a kernel whose blocks wait for each other: all are resident, or the launch fails.
template <class... Parameters, class... Arguments>
void launch_cooperatively(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
                          std::size_t dynamic_smem, cudaStream_t stream,
                          const Arguments&... arguments) {
  launch_as(launch_kind::cooperative, kernel, blocks, threads_per_block, dynamic_smem, stream,
            arguments...);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

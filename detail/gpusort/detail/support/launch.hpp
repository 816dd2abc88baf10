// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Dynamic shared memory of a launch, and the most that any launch of the kernel asks for. The
/// limit is the kernel's, shared by all threads of the process, so each raises it to the same. The
/// carveout is how much of a multiprocessor's memory is to be shared memory, in percent: what is
/// left is its L1 cache. Also the kernel's, whose launches all ask for the same.
struct shared_memory_size {
  std::size_t bytes;
  std::size_t most;
  int carveout = cudaSharedmemCarveoutDefault;

  shared_memory_size(std::size_t always) : bytes(always), most(always) {}
  shared_memory_size(std::size_t now, std::size_t at_most) : bytes(now), most(at_most) {}
  shared_memory_size(std::size_t now, std::size_t at_most, int percent)
      : bytes(now), most(at_most), carveout(percent) {}
};

/// What a launch asks for beyond a grid.
enum class launch_kind { plain, early, cooperative, one_cluster };

template <class... Parameters, class... Arguments>
void launch_as(launch_kind kind, void (*kernel)(Parameters...), std::size_t blocks,
               int threads_per_block, shared_memory_size dynamic_smem, cudaStream_t stream,
               const Arguments&... arguments) {
  if (blocks == 0) return;
  // 48 KB, of which 8 are for what a kernel has besides, static shared memory.
  constexpr std::size_t bytes_without_opt_in = 40 * 1024;
  if (dynamic_smem.bytes > bytes_without_opt_in) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(dynamic_smem.most)),
          "raising a kernel's shared memory limit");
  }
  if (dynamic_smem.carveout != cudaSharedmemCarveoutDefault) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               dynamic_smem.carveout),
          "choosing between shared memory and cache");
  }
  cudaLaunchAttribute attribute{};
  if (kind == launch_kind::cooperative) {
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  } else if (kind == launch_kind::one_cluster) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(blocks);
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  } else {
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads_per_block));
  config.dynamicSmemBytes = dynamic_smem.bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = kind == launch_kind::plain ? 0 : 1;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
        "launching a kernel");
}

/// The one place that launches kernels; always checked. Shared memory beyond 48 KB is opted
/// into here, for the current device. A grid of no block is no launch.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
            shared_memory_size dynamic_smem, cudaStream_t stream, const Arguments&... arguments) {
  launch_as(launch_kind::plain, kernel, blocks, threads_per_block, dynamic_smem, stream,
            arguments...);
}

/// The same for a kernel that begins with wait_for_previous_kernel(): where the device can, its
/// blocks are set up while the kernel before it still runs.
template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
                  shared_memory_size dynamic_smem, cudaStream_t stream,
                  const Arguments&... arguments) {
  constexpr int first_that_can = 90;
  const bool can = current_device_properties().compiled_architecture >= first_that_can;
  launch_as(can ? launch_kind::early : launch_kind::plain, kernel, blocks, threads_per_block,
            dynamic_smem, stream, arguments...);
}

/// The same for a kernel whose blocks wait for each other: all are resident, or the launch fails.
template <class... Parameters, class... Arguments>
void launch_cooperatively(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
                          shared_memory_size dynamic_smem, cudaStream_t stream,
                          const Arguments&... arguments) {
  launch_as(launch_kind::cooperative, kernel, blocks, threads_per_block, dynamic_smem, stream,
            arguments...);
}

/// The same for a kernel whose blocks are one cluster: at most 8, on a device that has clusters.
template <class... Parameters, class... Arguments>
void launch_cluster(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
                    shared_memory_size dynamic_smem, cudaStream_t stream,
                    const Arguments&... arguments) {
  launch_as(launch_kind::one_cluster, kernel, blocks, threads_per_block, dynamic_smem, stream,
            arguments...);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

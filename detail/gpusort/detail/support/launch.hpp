// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <limits>
#include <string>

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

/// Names what a launch asks for beyond a grid.
enum class launch_kind { plain, early, cooperative, one_cluster };

/// The blocks of a cooperative launch, or of a cluster, do not all fit on what the stream has of
/// the device. Nothing has been launched.
class launch_refused : public cuda_error {
 public:
  explicit launch_refused(launch_kind refused)
      : cuda_error(cudaErrorCooperativeLaunchTooLarge,
                   error_text("launching a kernel whose blocks wait for each other: they do not "
                              "all fit on the part of the device that the stream has")),
        kind(refused) {}

  launch_kind kind;
};

/// Whether the driver has room for all blocks of the launch, as far as it can be asked.
inline bool has_room(launch_kind kind, const void* kernel, const cudaLaunchConfig_t& config) {
  int fitting = 0;
  cudaError_t status = cudaSuccess;
  std::uint64_t wanted = 1;
  if (kind == launch_kind::one_cluster) {
    status = cudaOccupancyMaxActiveClusters(&fitting, kernel, &config);
  } else {
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &fitting, kernel, static_cast<int>(config.blockDim.x), config.dynamicSmemBytes);
    fitting *= current_device_properties().multiprocessors;
    wanted = config.gridDim.x;
  }
  check(status, "asking for how many blocks there is room");
  return static_cast<std::uint64_t>(fitting) >= wanted;
}

/// Tells whether the driver says that there is no room.
inline bool is_refusal(cudaError_t status) {
  return status == cudaErrorCooperativeLaunchTooLarge || status == cudaErrorLaunchOutOfResources ||
         status == cudaErrorInvalidClusterSize;
}

/// Forbids launches of the refused kind until the call is over, so that what has touched nothing
/// yet can begin again. Throws on where that would change nothing.
inline void do_without(const launch_refused& refused) {
  device_properties* const part = properties_in_use();
  if (part == nullptr) throw;
  bool& may = refused.kind == launch_kind::cooperative ? part->may_cooperate : part->may_cluster;
  if (!may) throw;
  may = false;
}

/// Attempts something whose first launch may be refused, before which nothing has been touched.
template <class Attempt>
void until_launches_fit(const Attempt& attempt) {
  for (;;) {
    try {
      return attempt();
    } catch (const launch_refused& refused) {
      do_without(refused);
    }
  }
}

/// A kernel with its arguments, type-erased: the code around a launch is compiled once, not once
/// for each kernel.
struct kernel_call {
  const void* kernel;
  void** arguments;
  cudaError_t (*start)(const cudaLaunchConfig_t*, const void* kernel, void** arguments);
};

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

GPUSORT_LINKABLE void launch_as(launch_kind kind, const kernel_call& call, std::size_t blocks,
                                int threads_per_block, shared_memory_size dynamic_smem,
                                cudaStream_t stream);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE void launch_as(launch_kind kind, const kernel_call& call, std::size_t blocks,
                                int threads_per_block, shared_memory_size dynamic_smem,
                                cudaStream_t stream) {
  if (blocks == 0) return;
  if (blocks > (std::numeric_limits<int>::max)()) {
    throw cuda_error(
        cudaErrorInvalidConfiguration,
        error_text("a kernel would need " + std::to_string(blocks) +
                   " blocks, and a launch has at most 2^31 - 1; sort fewer elements at once"));
  }
  // 48 KB, of which 8 are for what a kernel has besides, static shared memory. A comparator may
  // have more, which shows when a launch is refused; one that is captured is refused later.
  constexpr std::size_t bytes_without_opt_in = 40 * 1024;
  const bool is_opted_in =
      dynamic_smem.bytes > bytes_without_opt_in ||
      (dynamic_smem.bytes > 0 && current_device_properties().must_ask_for_room);
  const auto opt_in = [&] {
    check(cudaFuncSetAttribute(call.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(dynamic_smem.most)),
          "raising a kernel's shared memory limit");
  };
  if (is_opted_in) opt_in();
  if (dynamic_smem.carveout != cudaSharedmemCarveoutDefault) {
    check(cudaFuncSetAttribute(call.kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
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
  const bool are_all_resident =
      kind == launch_kind::cooperative || kind == launch_kind::one_cluster;
  // A launch that becomes part of a graph is refused only when that is instantiated.
  if (are_all_resident && current_device_properties().must_ask_for_room &&
      !has_room(kind, call.kernel, config)) {
    throw launch_refused(kind);
  }
  cudaError_t status = call.start(&config, call.kernel, call.arguments);
  if (status == cudaErrorInvalidValue && !is_opted_in && dynamic_smem.bytes > 0) {
    cudaGetLastError();
    opt_in();
    status = call.start(&config, call.kernel, call.arguments);
  }
  if (are_all_resident && is_refusal(status)) {
    cudaGetLastError();
    throw launch_refused(kind);
  }
  check(status, "launching a kernel");
}
#endif

}  // namespace GPUSORT_LINKED

template <class... Parameters, class... Arguments>
void launch_as(launch_kind kind, void (*kernel)(Parameters...), std::size_t blocks,
               int threads_per_block, shared_memory_size dynamic_smem, cudaStream_t stream,
               const Arguments&... arguments) {
  const auto launch_with = [&](Parameters... values) {
    void* addresses[] = {&values...};
    launch_as(kind,
              kernel_call{reinterpret_cast<const void*>(kernel), addresses, &cudaLaunchKernelExC},
              blocks, threads_per_block, dynamic_smem, stream);
  };
  launch_with(static_cast<Parameters>(arguments)...);
}

/// Launches a kernel: the one place that does; always checked. Shared memory beyond 48 KB is opted
/// into here, for the current device. A grid of no block is no launch.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
            shared_memory_size dynamic_smem, cudaStream_t stream, const Arguments&... arguments) {
  launch_as(launch_kind::plain, kernel, blocks, threads_per_block, dynamic_smem, stream,
            arguments...);
}

/// Launches a kernel that begins with wait_for_previous_kernel(): where the device can, its blocks
/// are set up while the kernel before it still runs.
template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
                  shared_memory_size dynamic_smem, cudaStream_t stream,
                  const Arguments&... arguments) {
  constexpr int first_that_can = 90;
  const bool can = current_device_properties().compiled_architecture >= first_that_can;
  launch_as(can ? launch_kind::early : launch_kind::plain, kernel, blocks, threads_per_block,
            dynamic_smem, stream, arguments...);
}

/// Launches a kernel whose blocks wait for each other: all are resident, or launch_refused is
/// thrown.
template <class... Parameters, class... Arguments>
void launch_cooperatively(void (*kernel)(Parameters...), std::size_t blocks, int threads_per_block,
                          shared_memory_size dynamic_smem, cudaStream_t stream,
                          const Arguments&... arguments) {
  launch_as(launch_kind::cooperative, kernel, blocks, threads_per_block, dynamic_smem, stream,
            arguments...);
}

/// Launches cooperatively a grid that may have any size: as many blocks as there is room for,
/// `most` at most.
template <class... Parameters, class... Arguments>
void launch_cooperatively_at_most(void (*kernel)(Parameters...), std::size_t most,
                                  int threads_per_block, shared_memory_size dynamic_smem,
                                  cudaStream_t stream, const Arguments&... arguments) {
  for (std::size_t blocks = most;; blocks /= 2) {
    try {
      return launch_cooperatively(kernel, blocks, threads_per_block, dynamic_smem, stream,
                                  arguments...);
    } catch (const launch_refused&) {
      if (blocks == 1) throw;
    }
  }
}

/// Launches a kernel whose blocks are one cluster: at most 8, on a device that has clusters.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda.h>

#include <algorithm>

#include "device.hpp"

namespace kit {

/// A stream that has only some of the current device's multiprocessors, where the driver has green
/// contexts.
class part_of_device {
 public:
  explicit part_of_device(unsigned multiprocessors) {
    const auto device_resource = find<decltype(&cuDeviceGetDevResource)>("cuDeviceGetDevResource");
    const auto split = find<decltype(&cuDevSmResourceSplitByCount)>("cuDevSmResourceSplitByCount");
    const auto describe = find<decltype(&cuDevResourceGenerateDesc)>("cuDevResourceGenerateDesc");
    const auto create = find<decltype(&cuGreenCtxCreate)>("cuGreenCtxCreate");
    destroy_ = find<decltype(&cuGreenCtxDestroy)>("cuGreenCtxDestroy");
    const auto create_stream =
        find<decltype(&cuGreenCtxStreamCreate)>("cuGreenCtxStreamCreate", 12050);
    if (!device_resource || !split || !describe || !create || !destroy_ || !create_stream) return;
    cuda_ok(cudaFree(nullptr));  // the device's context has to be there
    int device = 0;
    cuda_ok(cudaGetDevice(&device));
    CUdevResource all{}, part{};
    unsigned parts = 1;
    CUdevResourceDesc description = nullptr;
    CUstream made = nullptr;
    if (device_resource(device, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
        split(&part, &parts, &all, nullptr, 0, std::min(multiprocessors, all.sm.smCount / 2)) !=
            CUDA_SUCCESS ||
        describe(&description, &part, 1) != CUDA_SUCCESS ||
        create(&context_, description, device, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS ||
        create_stream(&made, context_, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS) {
      return;
    }
    stream_ = made;
    multiprocessors_ = part.sm.smCount;
  }
  part_of_device(const part_of_device&) = delete;
  part_of_device& operator=(const part_of_device&) = delete;
  ~part_of_device() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
    if (context_ != nullptr) destroy_(context_);
  }

  bool exists() const { return stream_ != nullptr; }
  cudaStream_t stream() const { return stream_; }
  unsigned multiprocessors() const { return multiprocessors_; }

 private:
  template <class Function>
  static Function find(const char* name, unsigned first_version_of_cuda = 12040) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    if (cudaGetDriverEntryPointByVersion(name, &found, first_version_of_cuda, cudaEnableDefault,
                                         &result) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    return result == cudaDriverEntryPointSuccess ? reinterpret_cast<Function>(found) : nullptr;
  }

  decltype(&cuGreenCtxDestroy) destroy_ = nullptr;
  CUgreenCtx context_ = nullptr;
  cudaStream_t stream_ = nullptr;
  unsigned multiprocessors_ = 0;
};

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda.h>

#include <algorithm>
#include <gpusort/detail/support/driver.hpp>

#include "device.hpp"

namespace kit {

/// A stream that has only some of the current device's multiprocessors, where the driver has green
/// contexts.
class part_of_device {
 public:
  explicit part_of_device(unsigned multiprocessors) {
    using gpusort::detail::driver_function;
    const auto device_resource =
        driver_function<decltype(&cuDeviceGetDevResource)>("cuDeviceGetDevResource", 12040);
    const auto split = driver_function<decltype(&cuDevSmResourceSplitByCount)>(
        "cuDevSmResourceSplitByCount", 12040);
    const auto describe =
        driver_function<decltype(&cuDevResourceGenerateDesc)>("cuDevResourceGenerateDesc", 12040);
    const auto create = driver_function<decltype(&cuGreenCtxCreate)>("cuGreenCtxCreate", 12040);
    destroy_ = driver_function<decltype(&cuGreenCtxDestroy)>("cuGreenCtxDestroy", 12040);
    const auto create_stream =
        driver_function<decltype(&cuGreenCtxStreamCreate)>("cuGreenCtxStreamCreate", 12050);
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
  decltype(&cuGreenCtxDestroy) destroy_ = nullptr;
  CUgreenCtx context_ = nullptr;
  cudaStream_t stream_ = nullptr;
  unsigned multiprocessors_ = 0;
};

}  // namespace kit

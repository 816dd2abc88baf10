// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <gpusort/detail/support/config.hpp>

#if GPUSORT_CUDA
#include <cuda_runtime_api.h>

#include <gpusort/detail/distributed/link_end.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <memory>
#include <utility>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Copies between what ranks have, in host memory, or, `OnDevice`, in any memory that the driver
/// knows. A copy is done when it returns.
template <bool OnDevice>
class copies {
 public:
  void operator()(void* to, const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
  }
};

#if GPUSORT_CUDA

/// Copies on a stream of their own, so that they wait for no other one, and disturb no capture.
template <>
class copies<true> {
 public:
  copies() : end_(link_ends::instance().acquire(current_device())) {}
  ~copies() {
    if (is_sound_) link_ends::instance().give_back(std::move(end_));
  }
  copies(const copies&) = delete;
  copies& operator=(const copies&) = delete;

  void operator()(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const relaxed_capture_mode relaxed;
    is_sound_ = false;
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, end_->work), "copying between ranks");
    check(cudaStreamSynchronize(end_->work), "copying between ranks");
    is_sound_ = true;
  }

 private:
  std::unique_ptr<link_end> end_;
  bool is_sound_ = true;
};

#endif

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <string>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells whether it is a default stream: these belong to whichever device is current when they are
/// used.
inline bool is_default_stream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// Returns the device of `stream`; -1 where it cannot be told: for the default streams, under
/// capture, and before CUDA 12.8.
inline int device_of_stream(cudaStream_t stream) {
  int device = -1;
#if CUDART_VERSION >= 12080
  if (!is_default_stream(stream) && !is_capturing(stream)) {
    check(cudaStreamGetDevice(stream, &device), "asking for the stream's device");
  }
#else
  (void)stream;
#endif
  return device;
}

/// Returns the device that works on data of that kind on that stream: the owner; for data that
/// nobody owns `wanted`, or, where that is -1, the stream's, for a default stream the current one.
/// Throws when the stream is of another device than the data.
inline int device_for(pointer_kind data, cudaStream_t stream, int wanted = -1) {
  const int of_stream = device_of_stream(stream);
  if (data.device < 0) return wanted >= 0 ? wanted : of_stream < 0 ? current_device() : of_stream;
  if (of_stream >= 0 && of_stream != data.device) {
    throw cuda_error(
        cudaErrorInvalidValue,
        error_text("the data is on device " + std::to_string(data.device) +
                   ", but the policy's stream belongs to device " + std::to_string(of_stream) +
                   "; pass a stream of the data's device"));
  }
  return data.device;
}

/// Makes a device current, and the former one again at the end of the scope.
class device_guard {
 public:
  explicit device_guard(int device) : former_(current_device()), changed_(device != former_) {
    if (changed_) check(cudaSetDevice(device), "making the data's device current");
  }
  /// Enters the device of a call on data of that kind.
  template <class Call>
  device_guard(pointer_kind data, const Call& call)
      : device_guard(device_for(data, call.stream, call.device)) {}
  ~device_guard() {
    if (changed_) cudaSetDevice(former_);
  }
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

 private:
  int former_;
  bool changed_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

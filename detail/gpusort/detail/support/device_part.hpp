// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/driver.hpp>
#include <gpusort/detail/support/library.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Returns how many multiprocessors work for `stream`: fewer than the device has where its context
/// is a green one, for example. 0 where the driver does not say. What a context has never changes,
/// and no other ever gets its id, so each thread remembers the last one: asking again takes some
/// 100 ns.
GPUSORT_LINKABLE int multiprocessors_of(cudaStream_t stream) noexcept;

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE int multiprocessors_of(cudaStream_t stream) noexcept {
  static const auto contexts_of =
      driver_function<decltype(&cuStreamGetCtx_v2)>("cuStreamGetCtx", 12050);
  static const auto id_of_green =
      driver_function<decltype(&cuGreenCtxGetId)>("cuGreenCtxGetId", 12090);
  static const auto id_of = driver_function<decltype(&cuCtxGetId)>("cuCtxGetId", 12000);
  static const auto resource_of_green =
      driver_function<decltype(&cuGreenCtxGetDevResource)>("cuGreenCtxGetDevResource", 12040);
  static const auto resource_of =
      driver_function<decltype(&cuCtxGetDevResource)>("cuCtxGetDevResource", 12040);
  if (contexts_of == nullptr || id_of_green == nullptr || id_of == nullptr ||
      resource_of_green == nullptr || resource_of == nullptr) {
    return 0;
  }
  struct seen {
    bool is_green = false;
    unsigned long long id = 0;
    int multiprocessors = 0;
  };
  static thread_local seen last;
  CUcontext context = nullptr;
  CUgreenCtx green = nullptr;
  if (contexts_of(stream, &context, &green) != CUDA_SUCCESS) return 0;
  const bool is_green = green != nullptr;
  unsigned long long id = 0;
  if ((is_green ? id_of_green(green, &id) : id_of(context, &id)) != CUDA_SUCCESS) return 0;
  if (last.multiprocessors == 0 || last.is_green != is_green || last.id != id) {
    CUdevResource resource{};
    const CUresult status = is_green ? resource_of_green(green, &resource, CU_DEV_RESOURCE_TYPE_SM)
                                     : resource_of(context, &resource, CU_DEV_RESOURCE_TYPE_SM);
    if (status != CUDA_SUCCESS) return 0;
    last = {is_green, id, static_cast<int>(resource.sm.smCount)};
  }
  return last.multiprocessors;
}
#endif

}  // namespace GPUSORT_LINKED

/// Makes the properties of the current device, while it lives, those of the part of it that a
/// stream has: with as many multiprocessors, and without kinds of launches that have been refused.
class device_part {
 public:
  /// Describes the part of the device of `stream`, which must be current.
  device_part(cudaStream_t stream, bool is_captured)
      : properties_(properties_of(current_device())), outer_(properties_in_use()) {
    const int multiprocessors = multiprocessors_of(stream);
    const bool is_part = multiprocessors > 0 && multiprocessors < properties_.multiprocessors;
    if (is_part) properties_.multiprocessors = multiprocessors;
    properties_.must_ask_for_room = is_part || is_captured;
    properties_in_use() = &properties_;
  }
  ~device_part() { properties_in_use() = outer_; }
  device_part(const device_part&) = delete;
  device_part& operator=(const device_part&) = delete;

 private:
  device_properties properties_;
  device_properties* outer_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/public_call.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

enum class memory_kind {
  device,         // of the device `pointer_kind::device`
  managed,        // reachable from every device and the host
  pinned_host,    // page-locked: the copy engines reach it directly
  pageable_host,  // anything that the driver does not know
};

/// Tells where a pointer points, as far as the driver knows.
struct pointer_kind {
  memory_kind kind = memory_kind::pageable_host;
  int device = -1;  // the owner; -1 where no single device owns the memory

  bool on_device() const { return kind == memory_kind::device; }
  bool on_host() const {
    return kind == memory_kind::pinned_host || kind == memory_kind::pageable_host;
  }
  /// Tells whether kernels may use the pointer as it is.
  bool device_accessible() const { return !on_host(); }
};

/// Classifies `pointer`. On a machine without a device everything is pageable. Throws only for a
/// sticky error of earlier work, which is then reported here.
inline pointer_kind classify_pointer(const void* pointer) {
  if (device_count() == 0) return {};
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, pointer);
  if (status == cudaErrorInvalidValue) {  // how old drivers say "unregistered"
    cudaGetLastError();
    return {};
  }
  check(status, "asking where a pointer points");
  switch (attributes.type) {
    case cudaMemoryTypeDevice:
      return {memory_kind::device, attributes.device};
    case cudaMemoryTypeManaged:
      return {memory_kind::managed, -1};
    case cudaMemoryTypeHost:
      return {memory_kind::pinned_host, -1};
    default:
      return {};
  }
}

inline void reject_other_device(pointer_kind keys, pointer_kind values) {
  if (keys.device >= 0 && values.device >= 0 && keys.device != values.device) {
    refuse("two of its ranges are on different devices; copy one to the other's");
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

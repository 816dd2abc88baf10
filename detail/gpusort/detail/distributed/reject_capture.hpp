// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Throws where the stream of a call on several devices, or ranks, is being captured.
inline void reject_capture(cudaStream_t stream) {
  if (is_capturing(stream)) {
    throw cuda_error(cudaErrorStreamCaptureUnsupported,
                     error_text("work of several devices cannot be captured into a graph; sort on "
                                "one device, or outside the capture"));
  }
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

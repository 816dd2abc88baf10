// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/memory/device_guard.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/device_part.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <gpusort/detail/support/public_call.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The device work of a call: chooses the device, refuses what cannot be captured, leaves captures
/// of other streams alone, and waits at the end where the policy does or host memory was staged.
template <class Call>
class device_scope {
 public:
  device_scope(const Call& call, pointer_kind data, bool must_wait)
      : guard_(data, call),
        stream_(call.stream),
        waits_(Call::synchronizes || must_wait),
        is_captured_(is_capturing(stream_)),
        part_(stream_, is_captured_) {
    if (waits_ && is_captured_) {
      throw cuda_error(cudaErrorStreamCaptureUnsupported,
                       error_text("it waits for its result, which a stream under capture cannot; "
                                  "use par_gpu_nosync and device memory"));
    }
  }

  /// Returns the completion of a sort that nothing follows; null where nobody waits.
  completion* awaited() { return waits_ ? &completion_ : nullptr; }

  void finish() {
    if (waits_) completion_.wait(stream_);
  }

 private:
  relaxed_capture_mode relaxed_;
  device_guard guard_;
  cudaStream_t stream_;
  bool waits_;
  bool is_captured_;
  device_part part_;
  completion completion_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

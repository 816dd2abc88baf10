// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/device_part.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/pending_error.hpp>
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

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// The device work of a call: chooses the device, refuses what cannot be captured, leaves captures
/// of other streams alone, and waits at the end where the policy does or host memory was staged.
class device_section {
 public:
  device_section(pointer_kind data, cudaStream_t stream, int wanted_device, bool waits);
  ~device_section();
  device_section(const device_section&) = delete;
  device_section& operator=(const device_section&) = delete;

  /// Returns the completion of a sort that nothing follows; null where nobody waits.
  completion* awaited() { return waits_ ? &completion_ : nullptr; }

  void finish();

 private:
  relaxed_capture_mode relaxed_;
  device_guard guard_;
  cudaStream_t stream_;
  bool waits_;
  bool is_captured_;
  device_part part_;
  completion completion_;
};

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE device_section::device_section(pointer_kind data, cudaStream_t stream,
                                                int wanted_device, bool waits)
    : guard_(device_for(data, stream, wanted_device)),
      stream_(stream),
      waits_(waits),
      is_captured_(is_capturing(stream)),
      part_(stream, is_captured_) {
  if (waits_ && is_captured_) {
    throw cuda_error(cudaErrorStreamCaptureUnsupported,
                     error_text("it waits for its result, which a stream under capture cannot; "
                                "use par_gpu_nosync and device memory"));
  }
}
GPUSORT_LINKABLE device_section::~device_section() = default;
GPUSORT_LINKABLE void device_section::finish() {
  if (waits_) completion_.wait(stream_);
}
#endif

}  // namespace GPUSORT_LINKED

/// The section of a call.
template <class Call>
class device_scope : public device_section {
 public:
  device_scope(const Call& call, pointer_kind data, bool must_wait)
      : device_section(data, call.stream, call.device, Call::synchronizes || must_wait) {}
};

/// A stream that takes the place of this thread's own default stream on another thread: begins
/// after what is on that, and that goes on after it.
class substitute_stream {
 public:
  explicit substitute_stream(cudaStream_t stream) : stream_(stream) {
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
    const bool is_own = stream == nullptr || stream == cudaStreamPerThread;
#else
    const bool is_own = stream == cudaStreamPerThread;
#endif
    if (!is_own) return;
    const relaxed_capture_mode relaxed;
    if (cudaStreamCreateWithFlags(&made_, cudaStreamNonBlocking) != cudaSuccess) return;
    if (cudaEventCreateWithFlags(&passed_, cudaEventDisableTiming) != cudaSuccess) return;
    if (follow(made_, stream_)) is_ordered_ = true;
  }
  ~substitute_stream() {
    if (is_ordered_) follow(stream_, made_);
    if (passed_ != nullptr) cudaEventDestroy(passed_);
    if (made_ != nullptr) cudaStreamDestroy(made_);  // when it has done its work
  }
  substitute_stream(const substitute_stream&) = delete;
  substitute_stream& operator=(const substitute_stream&) = delete;

  cudaStream_t get() const { return is_ordered_ ? made_ : stream_; }

 private:
  bool follow(cudaStream_t later, cudaStream_t earlier) const {
    return cudaEventRecord(passed_, earlier) == cudaSuccess &&
           cudaStreamWaitEvent(later, passed_, 0) == cudaSuccess;
  }

  cudaStream_t stream_;
  cudaStream_t made_ = nullptr;
  cudaEvent_t passed_ = nullptr;
  bool is_ordered_ = false;
};

/// Throws where the pending error is one that no later call survives.
inline void require_sound_context() {
  const relaxed_capture_mode relaxed;
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes),
        "an error of earlier work, found when the call began");
}

/// Does what a call does with a device, work(call), so that an error which the caller has left
/// pending is neither taken nor hidden. One that has destroyed the context is thrown.
template <class Call, class Work>
void run_apart(const Call& call, const Work& work) {
  if (!is_error_pending()) return work(call);
  const substitute_stream stream(call.stream);
  const auto apart = [&] {
    require_sound_context();
    Call moved = call;
    moved.stream = stream.get();
    work(moved);
  };
  using task = decltype(apart);
  call_on_another_thread([](const void* w) { (*static_cast<const task*>(w))(); }, &apart);
}

/// Whether work on a device cannot be put on `stream`, as that may be another device's.
inline bool is_stream_of_another(cudaStream_t stream, int device) {
  return device >= 0 && !is_default_stream(stream) && !is_capturing(stream) &&
         device_of_stream(stream) != device;
}

/// Tells whether this thread can put a call's work on the call's stream.
template <class Call>
bool is_at_home(const Call& call) {
  return !is_stream_of_another(call.stream, call.device) && !is_error_pending();
}

/// Calls run_apart, on a stream that work on the call's device can be put on: a default one, after
/// what is on the call's stream, where that is another device's. Such a call waits for its result.
template <class Call, class Work>
void run_on_device(const Call& call, const Work& work) {
  if (!is_stream_of_another(call.stream, call.device)) return run_apart(call, work);
  check(cudaStreamSynchronize(call.stream), "waiting for what is on the policy's stream");
  Call moved = call;
  moved.stream = cudaStreamPerThread;
  run_apart(moved, work);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

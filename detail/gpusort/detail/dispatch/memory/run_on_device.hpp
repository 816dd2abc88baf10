// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <gpusort/detail/dispatch/memory/device_guard.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/pending_error.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

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

/// Runs run_apart, on a stream that work on the call's device can be put on: a default one, after
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <gpusort/detail/support/check.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A stream of the device that is current when it is made.
class own_stream {
 public:
  own_stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  ~own_stream() { cudaStreamDestroy(stream_); }
  own_stream(const own_stream&) = delete;
  own_stream& operator=(const own_stream&) = delete;

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// An event of the device that is current when it is made.
class event {
 public:
  event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event"); }
  ~event() { cudaEventDestroy(event_); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording an event"); }
  /// Lets what is put on the stream from now on begin after the event.
  void hold_back(cudaStream_t stream) const {
    check(cudaStreamWaitEvent(stream, event_, 0), "ordering streams");
  }
  void wait() const { check(cudaEventSynchronize(event_), "waiting for an event"); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/device_generation.hpp>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Streams of a rank, on one device, and events of theirs.
class link_end {
 public:
  /// Makes an end of `device`, which must be current.
  explicit link_end(int device) : origin_(device) {
    const relaxed_capture_mode relaxed;
    try {
      make(work);
      make(incoming);
      make(outgoing);
      make(ready);
      make(passed);
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~link_end() { destroy(); }
  link_end(const link_end&) = delete;
  link_end& operator=(const link_end&) = delete;

  int device() const { return origin_.device(); }
  bool is_gone() const { return origin_.is_gone(); }

  /// Waits for all that is under way; false where that has failed.
  bool drain() const noexcept {
    bool is_sound = true;
    for (const cudaStream_t stream : {work, incoming, outgoing}) {
      is_sound = cudaStreamSynchronize(stream) == cudaSuccess && is_sound;
    }
    return is_sound;
  }

  cudaStream_t work = nullptr;
  cudaStream_t incoming = nullptr;
  cudaStream_t outgoing = nullptr;  // of copies to the host
  cudaEvent_t ready = nullptr;      // work before copies
  cudaEvent_t passed = nullptr;     // what has come in

 private:
  static void make(cudaStream_t& stream) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  }
  static void make(cudaEvent_t& event) {
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
  }

  void destroy() noexcept {
    if (is_gone()) return;
    for (const cudaStream_t stream : {work, incoming, outgoing}) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
    for (const cudaEvent_t event : {ready, passed}) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  handle_origin origin_;
};

/// Keeps the ends that wait for their next use: making one takes some 50 us. Never destroyed: at
/// exit the driver may already be gone.
class link_ends {
 public:
  static link_ends& instance() {
    static auto* const ends = new link_ends;
    return *ends;
  }

  /// Takes an end of `device`, which must be current: an idle one if there is one.
  std::unique_ptr<link_end> acquire(int device) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (auto& end : idle_) {
        if (end->device() != device || end->is_gone()) continue;
        std::unique_ptr<link_end> found = std::move(end);
        end = std::move(idle_.back());
        idle_.pop_back();
        return found;
      }
    }
    return std::make_unique<link_end>(device);
  }

  /// Gives an end back; if the list of idle ends cannot grow, this one is destroyed.
  void give_back(std::unique_ptr<link_end> end) noexcept try {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(end));
  } catch (const std::bad_alloc&) {
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<link_end>> idle_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

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

/// Memory of an allocator without stream order, kept until a stream has passed an event. CUDA has
/// no callback that may call CUDA, and nosync must not wait, so the list is looked through when the
/// same allocator is asked for scratch again, and by release_scratch(). Other calls leave it alone:
/// only a caller who shows up with an allocator is known to keep it alive and to himself.
class deferred_free {
 public:
  virtual ~deferred_free() {
    if (passed_ != nullptr && !origin_.is_gone()) cudaEventDestroy(passed_);
  }
  deferred_free(const deferred_free&) = delete;
  deferred_free& operator=(const deferred_free&) = delete;

  virtual void give_back() noexcept = 0;
  /// Whether an allocator, given by the address of a tag of its type and its own, is the same.
  virtual bool is_of(const void* type, const void* allocator) const = 0;

  bool mark(cudaStream_t stream) noexcept {
    return cudaEventCreateWithFlags(&passed_, cudaEventDisableTiming) == cudaSuccess &&
           cudaEventRecord(passed_, stream) == cudaSuccess;
  }
  /// Returns true also when the work has failed: the memory is then as unused as it will ever be.
  bool is_due() const noexcept {
    return origin_.is_gone() || cudaEventQuery(passed_) != cudaErrorNotReady;
  }

 protected:
  deferred_free() : origin_(current_device()) {}

 private:
  handle_origin origin_;
  cudaEvent_t passed_ = nullptr;
};

class deferred_frees {
 public:
  static deferred_frees& instance() {
    static deferred_frees* const list = new deferred_frees;  // never destroyed, see device_pools
    return *list;
  }

  void add(std::unique_ptr<deferred_free> node) {
    const std::lock_guard<std::mutex> lock(mutex_);
    nodes_.push_back(std::move(node));
  }

  void drain(const void* type, const void* allocator) {
    drain_if([=](const deferred_free& node) { return node.is_of(type, allocator); });
  }
  void drain() {
    drain_if([](const deferred_free&) { return true; });
  }

 private:
  // The allocators are called without the lock: they are the user's, and may sort.
  template <class Predicate>
  void drain_if(Predicate chosen) {
    const relaxed_capture_mode relaxed;
    std::vector<std::unique_ptr<deferred_free>> due;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      due.reserve(nodes_.size());
      std::size_t kept = 0;
      for (auto& node : nodes_) {
        if (chosen(*node) && node->is_due()) {
          due.push_back(std::move(node));
        } else {
          std::swap(nodes_[kept++], node);
        }
      }
      nodes_.resize(kept);
    }
    cudaGetLastError();  // "not ready" is an answer here, not an error
    for (auto& node : due) node->give_back();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<deferred_free>> nodes_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

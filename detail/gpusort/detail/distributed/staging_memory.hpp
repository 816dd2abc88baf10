// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <new>

#if GPUSORT_CUDA
#include <cuda_runtime_api.h>

#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/device_generation.hpp>
#include <optional>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Host memory, kept for the next use, that elements go through on their way from a device:
/// page-locked where it can be.
class staging_memory {
 public:
  staging_memory() = default;
  ~staging_memory() { unlock(); }
  staging_memory(const staging_memory&) = delete;
  staging_memory& operator=(const staging_memory&) = delete;

  /// Gives memory of that size at least, with anything in it. Throws gpusort::out_of_memory.
  unsigned char* reserve(std::size_t bytes) {
    if (bytes > bytes_ || is_gone()) {
      unlock();
      pageable_.reset();
      bytes_ = 0;
      data_ = lock(bytes);
      if (data_ == nullptr) {
        pageable_.reset(new (std::nothrow) unsigned char[bytes]);
        data_ = pageable_.get();
      }
      if (data_ == nullptr) throw out_of_memory();
      bytes_ = bytes;
    }
    return data_;
  }

 private:
#if GPUSORT_CUDA
  bool is_gone() const { return origin_ && origin_->is_gone(); }

  unsigned char* lock(std::size_t bytes) {
    const relaxed_capture_mode relaxed;
    void* p = nullptr;
    if (device_count() == 0) return nullptr;
    if (cudaHostAlloc(&p, bytes, cudaHostAllocPortable) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    origin_.emplace(current_device());
    return static_cast<unsigned char*>(p);
  }

  void unlock() noexcept {
    if (origin_ && !origin_->is_gone()) cudaFreeHost(data_);
    origin_.reset();
  }

  std::optional<handle_origin> origin_;  // of page-locked memory
#else
  bool is_gone() const { return false; }
  unsigned char* lock(std::size_t) { return nullptr; }
  void unlock() noexcept {}
#endif

  unsigned char* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::unique_ptr<unsigned char[]> pageable_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <mutex>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Tells whether a device has been reset since a handle was made: pools, events and page-locked
/// memory of before are gone then, and their handles must not be used, nor be destroyed. A page of
/// our own is page-locked for each device; a reset undoes that, and nobody else locks it again.
class device_generations {
 public:
  static device_generations& instance() {
    static device_generations* const all = new device_generations;  // never destroyed
    return *all;
  }

  /// Returns how often a device has been seen to have been reset. Where no memory can be
  /// page-locked, nothing is seen.
  std::uint64_t of(int device) noexcept {
    entry& e = entries_[device];
    const std::lock_guard<std::mutex> lock(e.mutex);
    if (e.is_locked && is_page_locked(e.page)) return e.generation;
    if (e.is_locked) ++e.generation;
    e.is_locked = lock_page(e.page, device);
    return e.generation;
  }

 private:
  struct alignas(65536) entry {  // in no page of the host's that another one is in
    unsigned char page[4096];
    std::mutex mutex;
    bool is_locked = false;
    std::uint64_t generation = 0;
  };

  device_generations() : entries_(new entry[static_cast<std::size_t>(device_count())]) {}

  /// Locks a page in the context of the device.
  static bool lock_page(unsigned char (&page)[4096], int device) noexcept {
    const relaxed_capture_mode relaxed;
    int former = device;
    cudaGetDevice(&former);
    if (former != device) cudaSetDevice(device);
    const bool is_locked =
        cudaHostRegister(page, sizeof(page), cudaHostRegisterPortable) == cudaSuccess;
    if (!is_locked) cudaGetLastError();
    if (former != device) cudaSetDevice(former);
    return is_locked;
  }

  static bool is_page_locked(const void* page) noexcept {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, page) == cudaSuccess) {
      return attributes.type == cudaMemoryTypeHost;
    }
    cudaGetLastError();
    return false;
  }

  entry* entries_;
};

/// The device and the generation that a handle belongs to.
class handle_origin {
 public:
  explicit handle_origin(int device) noexcept
      : device_(device), generation_(device_generations::instance().of(device)) {}

  int device() const noexcept { return device_; }
  /// Whether the device has been reset since, and the handle means nothing any more.
  bool is_gone() const noexcept {
    return generation_ != device_generations::instance().of(device_);
  }

 private:
  int device_;
  std::uint64_t generation_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

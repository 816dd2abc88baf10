// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <mutex>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The pool keeps at most device memory / pool_cap_divisor between calls: enough for keys-only
/// sorts of a fifth of the memory, and most of the device stays for other allocators. What is in
/// use may exceed it; the surplus goes back to the driver at the next synchronization.
inline constexpr std::size_t pool_cap_divisor = 4;

/// One stream-ordered pool per device, created by the first allocation on it and never destroyed:
/// at exit the driver may already be gone.
class device_pools {
 public:
  static device_pools& instance() {
    static device_pools* const pools = new device_pools;
    return *pools;
  }

  /// The pool of `device`, which must be current; null where the device has no memory pools.
  cudaMemPool_t pool_of(int device) {
    entry& e = entries_[device];
    std::call_once(e.created, [&] {
      if (properties_of(device).has_memory_pools) e.pool = create(device);
    });
    return e.pool;
  }

  /// Gives back to the driver what no queued work uses.
  void trim() {
    const relaxed_capture_mode relaxed;
    for (int device = 0; device < device_count(); ++device) {
      // Not pool_of(): a pool that nobody has used yet has nothing to give back.
      if (const cudaMemPool_t pool = entries_[device].pool) {
        check(cudaMemPoolTrimTo(pool, 0), "giving scratch back to the driver");
      }
    }
  }

 private:
  struct entry {
    std::once_flag created;
    std::atomic<cudaMemPool_t> pool{nullptr};
  };

  device_pools() : entries_(new entry[static_cast<std::size_t>(device_count())]) {}

  static cudaMemPool_t create(int device) {
    const relaxed_capture_mode relaxed;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &properties), "creating the scratch pool");
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for the size of device memory");
    std::uint64_t cap = total_bytes / pool_cap_divisor;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &cap),
          "setting the scratch pool's cap");
    return pool;
  }

  entry* entries_;
};

/// For devices without memory pools. It waits for the device when it gives memory back.
inline cudaError_t allocate_without_pool(void** p, std::size_t bytes, cudaStream_t stream) {
  if (is_capturing(stream)) {
    throw cuda_error(cudaErrorStreamCaptureUnsupported,
                     "gpusort: this device has no memory pools, so that a call under capture needs "
                     "gpusort::scratch(pointer, bytes)");
  }
  return cudaMalloc(p, bytes);
}

/// Allocates from the current device's pool. Under capture this adds an allocation node, whose
/// memory belongs to the graph.
inline void* allocate_from_pool(void*, std::size_t bytes, cudaStream_t stream) {
  const cudaMemPool_t pool = device_pools::instance().pool_of(current_device());
  const relaxed_capture_mode relaxed;
  void* p = nullptr;
  const cudaError_t status = pool != nullptr ? cudaMallocFromPoolAsync(&p, bytes, pool, stream)
                                             : allocate_without_pool(&p, bytes, stream);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(status, "allocating scratch");
  return p;
}

/// An error here is of work queued before, is sticky, and is reported by the caller's next check.
inline void deallocate_to_pool(void*, void* p, std::size_t, cudaStream_t stream) {
  const cudaMemPool_t pool = device_pools::instance().pool_of(current_device());
  const relaxed_capture_mode relaxed;
  if (pool != nullptr) {
    cudaFreeAsync(p, stream);
  } else {
    cudaFree(p);  // waits for the device by itself
  }
}

/// The library's own scratch memory: the default of every policy.
inline memory_source pool_memory() { return {nullptr, &allocate_from_pool, &deallocate_to_pool}; }

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

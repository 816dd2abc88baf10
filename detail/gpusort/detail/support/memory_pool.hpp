// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/device_generation.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/memory_adaptor.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The pool keeps at most device memory / pool_cap_divisor between calls: enough for keys-only
/// sorts of a fifth of the memory, and most of the device stays for other allocators. What is in
/// use may exceed it; the surplus goes back to the driver at the next synchronization.
inline constexpr std::size_t pool_cap_divisor = 4;

/// One stream-ordered pool per device, created by the first allocation on it, and by the first one
/// after the device has been reset. Never destroyed: at exit the driver may already be gone.
class device_pools {
 public:
  static device_pools& instance() {
    static device_pools* const pools = new device_pools;
    return *pools;
  }

  /// Returns the pool of `device`, which must be current; null where the device has no memory
  /// pools.
  cudaMemPool_t pool_of(int device) {
    entry& e = entries_[device];
    if (!properties_of(device).has_memory_pools) return nullptr;
    const std::lock_guard<std::mutex> lock(e.mutex);
    if (!e.is_there()) {
      e.pool = nullptr;
      e.origin.emplace(device);
      e.pool = create(device);
    }
    return e.pool;
  }

  /// Gives back to the driver what no queued work uses.
  void trim() {
    const relaxed_capture_mode relaxed;
    for (int device = 0; device < device_count(); ++device) {
      // Not pool_of(): a pool that nobody has used yet has nothing to give back.
      entry& e = entries_[device];
      const std::lock_guard<std::mutex> lock(e.mutex);
      if (e.is_there()) check(cudaMemPoolTrimTo(e.pool, 0), "giving scratch back to the driver");
    }
  }

 private:
  struct entry {
    std::mutex mutex;
    cudaMemPool_t pool = nullptr;
    std::optional<handle_origin> origin;

    bool is_there() const { return pool != nullptr && !origin->is_gone(); }
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
    // Else, when memory is short, an allocation makes its stream wait for what another stream has
    // not yet come to free.
    int no = 0;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &no),
          "keeping the scratch pool from ordering streams");
    return pool;
  }

  entry* entries_;
};

/// Allocates for devices without memory pools. It waits for the device when it gives memory back.
inline cudaError_t allocate_without_pool(void** p, std::size_t bytes, cudaStream_t stream) {
  if (is_capturing(stream)) {
    throw cuda_error(cudaErrorStreamCaptureUnsupported,
                     error_text("this device has no memory pools, so that a call under capture "
                                "needs gpusort::scratch(pointer, bytes)"));
  }
  return cudaMalloc(p, bytes);
}

/// The pool grows by so much at a time, of which less may be left.
inline constexpr std::size_t pool_growth = std::size_t{32} << 20;

/// cudaMalloc as an allocator, for what the pool has no room for and cannot grow for. Its memory
/// goes back when the stream has passed, at the next such allocation or by release_scratch().
struct memory_beside_pool {
  using value_type = char;

  static memory_beside_pool& instance() {
    static auto* const memory = new memory_beside_pool;  // never destroyed, see device_pools
    return *memory;
  }

  char* allocate(std::size_t bytes) {
    void* p = nullptr;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      pointers_.push_back(p);
    } catch (const std::bad_alloc&) {
      cudaFree(p);
      throw;
    }
    return static_cast<char*>(p);
  }
  void deallocate(char* p, std::size_t) {
    forget(p);
    cudaFree(p);
  }

  bool owns(const void* p) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::find(pointers_.begin(), pointers_.end(), p) != pointers_.end();
  }

 private:
  void forget(const void* p) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pointers_.erase(std::find(pointers_.begin(), pointers_.end(), p));
  }

  std::mutex mutex_;
  std::vector<void*> pointers_;
};

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Allocates from the current device's pool. Under capture this adds an allocation node, whose
/// memory belongs to the graph.
GPUSORT_LINKABLE void* allocate_from_pool(void*, std::size_t bytes, cudaStream_t stream);

/// Gives memory back to the pool; an error here is of work queued before, is sticky, and is
/// reported by the caller's next check.
GPUSORT_LINKABLE void deallocate_to_pool(void*, void* p, std::size_t bytes, cudaStream_t stream);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE void* allocate_from_pool(void*, std::size_t bytes, cudaStream_t stream) {
  const cudaMemPool_t pool = device_pools::instance().pool_of(current_device());
  const relaxed_capture_mode relaxed;
  void* p = nullptr;
  const cudaError_t status = pool != nullptr ? cudaMallocFromPoolAsync(&p, bytes, pool, stream)
                                             : allocate_without_pool(&p, bytes, stream);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    if (pool == nullptr || bytes >= pool_growth || is_capturing(stream)) return nullptr;
    return allocate_from<memory_beside_pool>(&memory_beside_pool::instance(), bytes, stream);
  }
  check(status, "allocating scratch");
  return p;
}

GPUSORT_LINKABLE void deallocate_to_pool(void*, void* p, std::size_t bytes, cudaStream_t stream) {
  const relaxed_capture_mode relaxed;
  memory_beside_pool& beside = memory_beside_pool::instance();
  if (beside.owns(p)) {
    deallocate_to<memory_beside_pool, return_mode::deferred_by_reference>(&beside, p, bytes,
                                                                          stream);
  } else if (properties_of(current_device()).has_memory_pools) {
    cudaFreeAsync(p, stream);
  } else {
    cudaFree(p);  // waits for the device by itself
  }
}
#endif

}  // namespace GPUSORT_LINKED

/// Returns the library's own scratch memory: the default of every policy.
inline memory_source pool_memory() { return {nullptr, &allocate_from_pool, &deallocate_to_pool}; }

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

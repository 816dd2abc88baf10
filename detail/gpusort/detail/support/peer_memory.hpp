// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <gpusort/detail/support/memory_pool.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether kernels of one device can use the other one's scratch.
inline bool can_reach(int device, int other) {
  if (device == other) return true;
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, device, other), "asking whether devices reach each other");
  return can != 0 && properties_of(other).has_memory_pools;
}

/// Lets kernels of `device` use the pool of the current device, which it can reach. For good: the
/// pool is the library's own.
inline void open_pool_to(int device) {
  const int owner = current_device();
  if (device == owner) return;
  const cudaMemPool_t pool = device_pools::instance().pool_of(owner);
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  location.id = device;
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  check(cudaMemPoolGetAccess(&flags, pool, &location), "asking who reaches a pool");
  if (flags == cudaMemAccessFlagsProtReadWrite) return;
  cudaMemAccessDesc access{};
  access.location = location;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  check(cudaMemPoolSetAccess(pool, &access, 1), "opening a pool to another device");
}

/// Allocates from the current device's pool and nowhere else, as only that is open to others.
inline void* allocate_for_peers(void*, std::size_t bytes, cudaStream_t stream) {
  const cudaMemPool_t pool = device_pools::instance().pool_of(current_device());
  if (pool == nullptr) return allocate_from_pool(nullptr, bytes, stream);
  const relaxed_capture_mode relaxed;
  void* p = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&p, bytes, pool, stream);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(status, "allocating scratch that other devices reach");
  return p;
}

/// Returns scratch of the current device that others reach, once the pool is open to them.
inline memory_source peer_memory() { return {nullptr, &allocate_for_peers, &deallocate_to_pool}; }

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

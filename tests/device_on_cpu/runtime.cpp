// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the CUDA runtime that the library and its tests make, for the device that is the
// CPU (cuda_on_cpu.hpp).
#include "runtime.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace {

using work_list = std::vector<std::function<void()>>;
std::map<cudaStream_t, work_list> captures;                // by the streams that are being captured
std::map<const void*, std::size_t> allowed_shared_memory;  // by kernel, beyond what all may have
std::mutex mutex;

/// What would wait for a stream, or for all, is refused while it would have to wait for a capture.
cudaError_t wait_for(cudaStream_t stream) {
  const std::lock_guard<std::mutex> lock(mutex);
  const bool is_captured = stream == nullptr ? !captures.empty() : captures.count(stream) != 0;
  return is_captured ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

/// What has been allocated, by where it ends.
struct allocation {
  char* begin;
  cudaMemoryType type;
};
std::map<const char*, allocation> allocations;

cudaError_t allocate(void** p, std::size_t bytes, cudaMemoryType type) {
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + 255) / 256 * 256;
  *p = std::aligned_alloc(256, rounded);
  if (*p == nullptr) return cudaErrorMemoryAllocation;
  char* const begin = static_cast<char*>(*p);
  const std::lock_guard<std::mutex> lock(mutex);
  allocations[begin + rounded] = {begin, type};
  return cudaSuccess;
}

/// Which allocation an address is in.
auto find_allocation(const void* p) {
  const auto found = allocations.upper_bound(static_cast<const char*>(p));
  return found != allocations.end() && found->second.begin <= p ? found : allocations.end();
}

/// Streams, events and pools have nothing to remember but who they are.
template <class Handle>
cudaError_t make_handle(Handle* handle) {
  *handle = reinterpret_cast<Handle>(new char);
  return cudaSuccess;
}
template <class Handle>
cudaError_t forget(Handle handle) {
  delete reinterpret_cast<char*>(handle);
  return cudaSuccess;
}

}  // namespace

namespace kit {

void on_stream(cudaStream_t stream, std::function<void()> work) {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto capture = captures.find(stream);
    if (capture != captures.end()) {
      capture->second.push_back(std::move(work));
      return;
    }
  }
  work();
}

void allow_shared_memory(const void* kernel, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex);
  allowed_shared_memory[kernel] = bytes;
}

bool can_launch(const cudaLaunchConfig_t& config, const void* kernel) {
  std::size_t most = 48 * 1024;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto allowed = allowed_shared_memory.find(kernel);
    if (allowed != allowed_shared_memory.end()) most = std::max(most, allowed->second);
  }
  const unsigned blocks = config.gridDim.x, threads = config.blockDim.x;
  if (blocks == 0 || threads == 0 || threads > 1024) return false;
  if (config.dynamicSmemBytes > std::min(most, shared_memory_per_block)) return false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const std::size_t resident =
        std::min<std::size_t>(threads_per_multiprocessor / threads,
                              shared_memory_per_multiprocessor / (config.dynamicSmemBytes + 1024));
    const cudaLaunchAttributeID which = config.attrs[i].id;
    if (which == cudaLaunchAttributeCooperative && blocks > multiprocessors * resident)
      return false;
    if (which == cudaLaunchAttributeClusterDimension && blocks > 8) return false;
  }
  return true;
}

}  // namespace kit

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "an error"; }
const char* cudaGetErrorString(cudaError_t) { return "an error of the device that is the CPU"; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  switch (which) {
    case cudaDevAttrMultiProcessorCount:
      *value = kit::multiprocessors;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = kit::threads_per_multiprocessor;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = kit::shared_memory_per_block;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = kit::shared_memory_per_multiprocessor;
      break;
    case cudaDevAttrL2CacheSize:
      *value = 50 << 20;
      break;
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrConcurrentManagedAccess:
      *value = 1;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** p, size_t bytes) { return allocate(p, bytes, cudaMemoryTypeDevice); }
cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaStream_t) { return cudaMalloc(p, bytes); }
cudaError_t cudaMallocManaged(void** p, size_t bytes, unsigned) {
  return allocate(p, bytes, cudaMemoryTypeManaged);
}
cudaError_t cudaMallocHost(void** p, size_t bytes) {
  return allocate(p, bytes, cudaMemoryTypeHost);
}
cudaError_t cudaFree(void* p) {
  if (p == nullptr) return cudaSuccess;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = find_allocation(p);
  if (found == allocations.end() || found->second.begin != p) return cudaErrorInvalidValue;
  allocations.erase(found);
  std::free(p);
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  // What a graph frees it allocates again when it is launched again: here it keeps it.
  return wait_for(stream) != cudaSuccess ? cudaSuccess : cudaFree(p);
}
cudaError_t cudaFreeHost(void* p) { return cudaFree(p); }
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  kit::on_stream(stream, [=] { std::memset(to, value, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  std::memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  kit::on_stream(stream, [=] { std::memmove(to, from, bytes); });
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  *attributes = {};
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = find_allocation(p);
  attributes->type = found != allocations.end() ? found->second.type : cudaMemoryTypeUnregistered;
  attributes->devicePointer = attributes->hostPointer = const_cast<void*>(p);
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void*, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
cudaError_t cudaHostAlloc(void** p, size_t bytes, unsigned) { return cudaMallocHost(p, bytes); }
cudaError_t cudaHostGetDevicePointer(void** on_device, void* p, unsigned) {
  *on_device = p;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *free = *total = std::size_t{8} << 30;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  return make_handle(pool);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void** p, size_t bytes, cudaMemPool_t, cudaStream_t) {
  return cudaMalloc(p, bytes);
}

cudaError_t cudaDeviceSynchronize() { return wait_for(nullptr); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return make_handle(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return forget(stream); }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait_for(stream); }
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) { return cudaGetDevice(device); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const std::lock_guard<std::mutex> lock(mutex);
  *status =
      captures.count(stream) != 0 ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  const std::lock_guard<std::mutex> lock(mutex);
  captures[stream];
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::lock_guard<std::mutex> lock(mutex);
  *graph = reinterpret_cast<cudaGraph_t>(new work_list(std::move(captures[stream])));
  captures.erase(stream);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  *executable =
      reinterpret_cast<cudaGraphExec_t>(new work_list(*reinterpret_cast<work_list*>(graph)));
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
  for (const auto& work : *reinterpret_cast<work_list*>(executable)) work();
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, size_t* count) {
  *count = reinterpret_cast<work_list*>(graph)->size();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete reinterpret_cast<work_list*>(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete reinterpret_cast<work_list*>(executable);
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return make_handle(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return forget(event); }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
}

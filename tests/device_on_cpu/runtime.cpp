// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the CUDA runtime that the library and its tests make, for the device that is the
// CPU (cuda_on_cpu.hpp).
#include "runtime.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

struct work_list {
  std::vector<std::function<void()>> work;
  bool is_too_large = false;  // some cooperative launch, which only instantiation tells
};
std::map<cudaStream_t, work_list> captures;                // by the streams that are being captured
std::map<const void*, std::size_t> allowed_shared_memory;  // by kernel, beyond what all may have
std::mutex mutex;

/// Refuses what would wait for a stream, or for all, while it would have to wait for a capture.
cudaError_t wait_for(cudaStream_t stream) {
  const std::lock_guard<std::mutex> lock(mutex);
  const bool is_captured = stream == nullptr ? !captures.empty() : captures.count(stream) != 0;
  return kit::said(is_captured ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
}

constexpr int devices = 2;  // all of them the CPU
thread_local int current = 0;

/// Tells what has been allocated, by where it ends.
struct allocation {
  char* begin;
  cudaMemoryType type;
  int device;
};
std::map<const char*, allocation> allocations;

cudaError_t allocate(void** p, std::size_t bytes, cudaMemoryType type, int device = current) {
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + 255) / 256 * 256;
  *p = std::aligned_alloc(256, rounded);
  if (*p == nullptr) return kit::said(cudaErrorMemoryAllocation);
  char* const begin = static_cast<char*>(*p);
  const std::lock_guard<std::mutex> lock(mutex);
  allocations[begin + rounded] = {begin, type, device};
  return cudaSuccess;
}

/// Returns which allocation an address is in.
auto find_allocation(const void* p) {
  const auto found = allocations.upper_bound(static_cast<const char*>(p));
  return found != allocations.end() && found->second.begin <= p ? found : allocations.end();
}

/// Ranges of the host's own memory, by their ends.
struct locked_range {
  const char* begin;
  int device;
};
std::map<const char*, locked_range> page_locked;

/// Streams, events and pools have nothing to remember but who they are, and of which device, and
/// whether they still are.
std::map<const void*, int> handles;
template <class Handle>
cudaError_t make_handle(Handle* handle, int device = current) {
  *handle = reinterpret_cast<Handle>(new char);
  const std::lock_guard<std::mutex> lock(mutex);
  handles[*handle] = device;
  return cudaSuccess;
}
template <class Handle>
cudaError_t expect_handle(Handle handle) {
  const std::lock_guard<std::mutex> lock(mutex);
  return kit::said(handles.count(handle) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
template <class Handle>
cudaError_t forget(Handle handle) {
  const cudaError_t status = expect_handle(handle);
  if (status != cudaSuccess) return status;
  const std::lock_guard<std::mutex> lock(mutex);
  handles.erase(handle);
  delete reinterpret_cast<char*>(handle);
  return cudaSuccess;
}

/// Returns the device of a stream; default streams are of whichever device is current.
int device_of(const void* handle) {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = handles.find(handle);
  return found != handles.end() ? found->second : current;
}

std::set<std::pair<int, int>> peers;  // who reaches whose memory
std::map<std::pair<cudaMemPool_t, int>, cudaMemAccessFlags> pool_access;  // by pool and device

thread_local cudaError_t last_error = cudaSuccess;

std::size_t blocks_per_multiprocessor(std::size_t threads, std::size_t shared_bytes) {
  return std::min<std::size_t>(kit::threads_per_multiprocessor / threads,
                               kit::shared_memory_per_multiprocessor / (shared_bytes + 1024));
}

/// A part of the device.
struct green_context {
  unsigned long long id;
  unsigned multiprocessors;
};
std::map<cudaStream_t, green_context*> green_streams;

green_context* green_context_of(cudaStream_t stream) {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = green_streams.find(stream);
  return found != green_streams.end() ? found->second : nullptr;
}

unsigned multiprocessors_of(cudaStream_t stream) {
  const green_context* const green = green_context_of(stream);
  return green != nullptr ? green->multiprocessors : kit::multiprocessors;
}

}  // namespace

namespace kit {

void on_stream(cudaStream_t stream, std::function<void()> work) {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto capture = captures.find(stream);
    if (capture != captures.end()) {
      capture->second.work.push_back(std::move(work));
      return;
    }
  }
  work();
}

void allow_shared_memory(const void* kernel, std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex);
  allowed_shared_memory[kernel] = bytes;
}

cudaError_t answer_to_device_count = cudaSuccess;

cudaError_t said(cudaError_t status) {
  if (status != cudaSuccess) last_error = status;
  return status;
}

cudaError_t try_launch(const cudaLaunchConfig_t& config, const void* kernel) {
  std::size_t most = 48 * 1024;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto allowed = allowed_shared_memory.find(kernel);
    if (allowed != allowed_shared_memory.end()) most = std::max(most, allowed->second);
  }
  if (device_of(config.stream) != current) return cudaErrorInvalidResourceHandle;
  const unsigned blocks = config.gridDim.x, threads = config.blockDim.x;
  if (blocks == 0 || threads == 0 || threads > 1024) return cudaErrorInvalidConfiguration;
  if (config.dynamicSmemBytes > std::min(most, shared_memory_per_block)) {
    return cudaErrorInvalidValue;
  }
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const std::size_t resident = blocks_per_multiprocessor(threads, config.dynamicSmemBytes);
    const cudaLaunchAttributeID which = config.attrs[i].id;
    if (which == cudaLaunchAttributeCooperative &&
        blocks > multiprocessors_of(config.stream) * resident) {
      const std::lock_guard<std::mutex> lock(mutex);
      const auto capture = captures.find(config.stream);
      if (capture == captures.end()) return cudaErrorCooperativeLaunchTooLarge;
      capture->second.is_too_large = true;
    }
    if (which == cudaLaunchAttributeClusterDimension && blocks > 8) {
      return cudaErrorInvalidClusterSize;
    }
  }
  return cudaSuccess;
}

}  // namespace kit

namespace {

/// Returns the functions of the driver that know of parts of a device.
const std::map<std::string, void*>& driver_functions() {
  static char whole_devices[devices];
  const auto get_current = [](CUcontext* context) {
    *context = reinterpret_cast<CUcontext>(&whole_devices[current]);
    return CUDA_SUCCESS;
  };
  const auto set_current = [](CUcontext context) {
    current = static_cast<int>(reinterpret_cast<char*>(context) - whole_devices);
    return CUDA_SUCCESS;
  };
  const auto contexts_of = [](CUstream stream, CUcontext* context, CUgreenCtx* green) {
    *context = reinterpret_cast<CUcontext>(&whole_devices[current]);
    *green = reinterpret_cast<CUgreenCtx>(green_context_of(stream));
    return CUDA_SUCCESS;
  };
  const auto id_of = [](CUcontext, unsigned long long* id) {
    *id = 1;
    return CUDA_SUCCESS;
  };
  const auto id_of_green = [](CUgreenCtx green, unsigned long long* id) {
    *id = reinterpret_cast<green_context*>(green)->id;
    return CUDA_SUCCESS;
  };
  const auto resource_of = [](CUcontext, CUdevResource* resource, CUdevResourceType) {
    resource->sm.smCount = kit::multiprocessors;
    return CUDA_SUCCESS;
  };
  const auto resource_of_green = [](CUgreenCtx green, CUdevResource* resource, CUdevResourceType) {
    resource->sm.smCount = reinterpret_cast<green_context*>(green)->multiprocessors;
    return CUDA_SUCCESS;
  };
  const auto resource_of_device = [](CUdevice, CUdevResource* resource, CUdevResourceType) {
    resource->sm.smCount = kit::multiprocessors;
    return CUDA_SUCCESS;
  };
  const auto split = [](CUdevResource* result, unsigned* groups, const CUdevResource*,
                        CUdevResource*, unsigned, unsigned least) {
    *groups = 1;
    result->sm.smCount = least;
    return CUDA_SUCCESS;
  };
  const auto describe = [](CUdevResourceDesc* description, CUdevResource* resource, unsigned) {
    *description = reinterpret_cast<CUdevResourceDesc>(new unsigned(resource->sm.smCount));
    return CUDA_SUCCESS;
  };
  const auto create = [](CUgreenCtx* green, CUdevResourceDesc description, CUdevice, unsigned) {
    static unsigned long long id = 1;
    auto* const count = reinterpret_cast<unsigned*>(description);
    *green = reinterpret_cast<CUgreenCtx>(new green_context{++id, *count});
    delete count;
    return CUDA_SUCCESS;
  };
  const auto destroy = [](CUgreenCtx green) {
    delete reinterpret_cast<green_context*>(green);
    return CUDA_SUCCESS;
  };
  const auto create_stream = [](CUstream* stream, CUgreenCtx green, unsigned, int) {
    make_handle(stream);
    const std::lock_guard<std::mutex> lock(mutex);
    green_streams[*stream] = reinterpret_cast<green_context*>(green);
    return CUDA_SUCCESS;
  };
  const auto as_pointer = [](auto* function) { return reinterpret_cast<void*>(function); };
  static const std::map<std::string, void*> all = {
      {"cuCtxGetCurrent", as_pointer(+get_current)},
      {"cuCtxSetCurrent", as_pointer(+set_current)},
      {"cuStreamGetCtx", as_pointer(+contexts_of)},
      {"cuCtxGetId", as_pointer(+id_of)},
      {"cuGreenCtxGetId", as_pointer(+id_of_green)},
      {"cuCtxGetDevResource", as_pointer(+resource_of)},
      {"cuGreenCtxGetDevResource", as_pointer(+resource_of_green)},
      {"cuDeviceGetDevResource", as_pointer(+resource_of_device)},
      {"cuDevSmResourceSplitByCount", as_pointer(+split)},
      {"cuDevResourceGenerateDesc", as_pointer(+describe)},
      {"cuGreenCtxCreate", as_pointer(+create)},
      {"cuGreenCtxDestroy", as_pointer(+destroy)},
      {"cuGreenCtxStreamCreate", as_pointer(+create_stream)},
  };
  return all;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = devices;
  return kit::said(kit::answer_to_device_count);
}
cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= devices) return kit::said(cudaErrorInvalidDevice);
  current = device;
  return cudaSuccess;
}
/// Resets the device; what is freed so is not used again, so that whoever still writes there harms
/// nobody.
cudaError_t cudaDeviceReset() {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto forget_all = [](auto& all, const auto& device_in) {
    for (auto i = all.begin(); i != all.end();) {
      i = device_in(*i) == current ? all.erase(i) : std::next(i);
    }
  };
  forget_all(allocations, [](const auto& a) { return a.second.device; });
  forget_all(page_locked, [](const auto& a) { return a.second.device; });
  forget_all(handles, [](const auto& a) { return a.second; });
  forget_all(peers, [](const auto& a) { return a.first; });
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
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
    case cudaDevAttrComputeCapabilityMajor:
      *value = GPUSORT_CPU_ARCHITECTURE / 100;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = GPUSORT_CPU_ARCHITECTURE / 10 % 10;
      break;
    case cudaDevAttrL2CacheSize:
      *value = 50 << 20;
      break;
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrConcurrentManagedAccess:
      *value = 1;
      break;
    default:
      return kit::said(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** p, size_t bytes) { return allocate(p, bytes, cudaMemoryTypeDevice); }
cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaStream_t stream) {
  return allocate(p, bytes, cudaMemoryTypeDevice, device_of(stream));
}
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
  if (found == allocations.end() || found->second.begin != p) {
    return kit::said(cudaErrorInvalidValue);
  }
  allocations.erase(found);
  std::free(p);
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  // What a graph frees it allocates again when it is launched again: here it keeps it.
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  return status != cudaStreamCaptureStatusNone ? cudaSuccess : cudaFree(p);
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

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int other) {
  *can = device != other;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (other == current) return kit::said(cudaErrorInvalidDevice);
  const bool is_new = peers.emplace(current, other).second;
  return kit::said(is_new ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  *attributes = {};
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = find_allocation(p);
  const auto locked = page_locked.upper_bound(static_cast<const char*>(p));
  attributes->type = found != allocations.end() ? found->second.type
                     : locked != page_locked.end() && locked->second.begin <= p
                         ? cudaMemoryTypeHost
                         : cudaMemoryTypeUnregistered;
  attributes->device = found != allocations.end() ? found->second.device : current;
  attributes->devicePointer = attributes->hostPointer = const_cast<void*>(p);
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned) {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto* const begin = static_cast<const char*>(p);
  const bool is_new = page_locked.emplace(begin + bytes, locked_range{begin, current}).second;
  return kit::said(is_new ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void* p) {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto locked = page_locked.upper_bound(static_cast<const char*>(p));
  if (locked == page_locked.end() || locked->second.begin != p) {
    return kit::said(cudaErrorHostMemoryNotRegistered);
  }
  page_locked.erase(locked);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** p, size_t bytes, unsigned) { return cudaMallocHost(p, bytes); }
cudaError_t cudaHostGetDevicePointer(void** on_device, void* p, unsigned) {
  *on_device = p;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *free = *total = std::size_t{8} << 30;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return make_handle(pool, properties->location.id);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t) {
  const std::lock_guard<std::mutex> lock(mutex);
  pool_access[{pool, access->location.id}] = access->flags;
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  const std::lock_guard<std::mutex> lock(mutex);
  *flags = pool_access[{pool, location->id}];
  return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** p, size_t bytes, cudaMemPool_t pool, cudaStream_t) {
  const cudaError_t status = expect_handle(pool);
  return status != cudaSuccess ? status : allocate(p, bytes, cudaMemoryTypeDevice, device_of(pool));
}

cudaError_t cudaDeviceSynchronize() { return wait_for(nullptr); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return make_handle(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    green_streams.erase(stream);
  }
  return forget(stream);
}
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait_for(stream); }
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  *device = device_of(stream);
  return cudaSuccess;
}
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
  if (reinterpret_cast<work_list*>(graph)->is_too_large) {
    return kit::said(cudaErrorCooperativeLaunchTooLarge);
  }
  *executable =
      reinterpret_cast<cudaGraphExec_t>(new work_list(*reinterpret_cast<work_list*>(graph)));
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
  for (const auto& work : reinterpret_cast<work_list*>(executable)->work) work();
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, size_t* count) {
  *count = reinterpret_cast<work_list*>(graph)->work.size();
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
cudaError_t cudaEventQuery(cudaEvent_t event) { return expect_handle(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const cudaError_t status = expect_handle(event);
  if (status != cudaSuccess || device_of(event) == device_of(stream)) return status;
  return kit::said(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return expect_handle(event); }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads,
                                                          size_t shared_bytes) {
  *blocks = static_cast<int>(blocks_per_multiprocessor(threads, shared_bytes));
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void*, const cudaLaunchConfig_t*) {
  *clusters = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  const auto found = driver_functions().find(symbol);
  *result = found != driver_functions().end() ? cudaDriverEntryPointSuccess
                                              : cudaDriverEntryPointSymbolNotFound;
  *function = found != driver_functions().end() ? found->second : nullptr;
  return cudaSuccess;
}
}

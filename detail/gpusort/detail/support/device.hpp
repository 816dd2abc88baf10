// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/library.hpp>
#include <gpusort/detail/support/pending_error.hpp>
#include <mutex>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Returns the number of usable devices: 0 without a device or without a driver. What the driver
/// answers is remembered; where it does not, that is thrown, and it is asked again.
GPUSORT_LINKABLE int device_count();

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE int device_count() {
  static std::atomic<int> known{-1};
  if (const int count = known.load(std::memory_order_relaxed); count >= 0) return count;
  apart_from_pending_error([] {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver ||
        status == cudaErrorStubLibrary) {
      cudaGetLastError();
      count = 0;
    } else {
      check(status, "asking for the number of devices");
    }
    known.store(count, std::memory_order_relaxed);
  });
  return known.load(std::memory_order_relaxed);
}
#endif

}  // namespace GPUSORT_LINKED

inline int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  return device;
}

namespace kernel GPUSORT_HIDDEN {

template <class>
GPUSORT_KERNEL void probe_kernel() {}

}  // namespace kernel

/// Returns what the code that runs on a device was compiled for, as 10 * major + minor: older than
/// the device where no newer code is there.
inline int architecture_of_code_on(int device) {
  const int former = current_device();
  if (former != device) check(cudaSetDevice(device), "making a device current");
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, kernel::probe_kernel<void>);
  if (former != device) cudaSetDevice(former);
  check(status, "asking what gpusort's kernels were compiled for");
  return attributes.ptxVersion;
}

/// Holds what routes and launches depend on. Asked once per device, never re-read.
struct device_properties {
  int compiled_architecture;  // what kernels can do: 90 for clusters and early launches
  bool is_for_older_device;   // code is
  int multiprocessors;
  int max_threads_per_multiprocessor;
  std::size_t max_shared_memory_per_block;  // with the opt-in that launch() performs
  std::size_t shared_memory_per_multiprocessor;
  std::size_t l2_cache_bytes;
  bool has_memory_pools;
  bool host_shares_managed_memory;  // also while kernels run
  // For the time of a call:
  bool must_ask_for_room = false;  // before a launch whose blocks are all resident: see launch_as()
  bool may_cooperate = true;
  bool may_cluster = true;
};

inline device_properties query_device_properties(int device) {
  const auto attribute = [device](cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "asking for a device's properties");
    return value;
  };
  device_properties properties{};
  properties.compiled_architecture = architecture_of_code_on(device);
  properties.is_for_older_device =
      properties.compiled_architecture < 10 * attribute(cudaDevAttrComputeCapabilityMajor) +
                                             attribute(cudaDevAttrComputeCapabilityMinor);
  properties.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  properties.max_threads_per_multiprocessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  properties.max_shared_memory_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  properties.shared_memory_per_multiprocessor =
      attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  properties.l2_cache_bytes = attribute(cudaDevAttrL2CacheSize);
  properties.has_memory_pools = attribute(cudaDevAttrMemoryPoolsSupported) != 0;
  properties.host_shares_managed_memory = attribute(cudaDevAttrConcurrentManagedAccess) != 0;
  return properties;
}

/// Returns the properties of the part of the current device that a call has, while there is a
/// device_part; else null.
inline device_properties*& properties_in_use() {
  static thread_local device_properties* properties = nullptr;
  return properties;
}

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Returns the properties of `device`, which must be one of the process. Thread-safe; a query that
/// throws is repeated by the next call. The table is never destroyed, so that sorting in a static
/// object's destructor works.
GPUSORT_LINKABLE const device_properties& properties_of(int device);

GPUSORT_LINKABLE const device_properties& current_device_properties();

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE const device_properties& properties_of(int device) {
  struct entry {
    std::once_flag asked;
    device_properties properties{};
  };
  static entry* const table = new entry[static_cast<std::size_t>(device_count())];
  entry& e = table[device];
  std::call_once(e.asked, [&] { e.properties = query_device_properties(device); });
  return e.properties;
}
GPUSORT_LINKABLE const device_properties& current_device_properties() {
  if (const device_properties* const properties = properties_in_use()) return *properties;
  return properties_of(current_device());
}
#endif

}  // namespace GPUSORT_LINKED

/// Returns how many blocks of a kernel a multiprocessor of the current device holds at once: at
/// most `most`, for which its registers suffice by its launch bounds.
inline int most_blocks_per_multiprocessor(int threads_per_block, std::size_t shared_memory,
                                          int most) {
  const device_properties& device = current_device_properties();
  constexpr std::size_t reserved_by_cuda = 1024;
  const auto by_memory = static_cast<int>(device.shared_memory_per_multiprocessor /
                                          (shared_memory + reserved_by_cuda));
  const int by_threads = device.max_threads_per_multiprocessor / threads_per_block;
  return (std::min)({most, by_memory, by_threads});
}

/// Returns how many the current device holds at once.
inline std::uint64_t most_resident_blocks(int threads_per_block, std::size_t shared_memory,
                                          int per_multiprocessor) {
  return std::uint64_t{1} * current_device_properties().multiprocessors *
         most_blocks_per_multiprocessor(threads_per_block, shared_memory, per_multiprocessor);
}

/// Returns the multiprocessors that a cooperative launch fills: all but one, so that a block of
/// somebody else's that runs for long, on any of them, does not keep it from beginning.
inline int cooperating_multiprocessors() {
  return (std::max)(1, current_device_properties().multiprocessors - 1);
}

/// Returns how many blocks a cooperative launch may have; 0 where there is to be none.
inline std::uint64_t most_cooperating_blocks(int threads_per_block, std::size_t shared_memory,
                                             int per_multiprocessor) {
  if (!current_device_properties().may_cooperate) return 0;
  return std::uint64_t{1} * cooperating_multiprocessors() *
         most_blocks_per_multiprocessor(threads_per_block, shared_memory, per_multiprocessor);
}

/// Keeps this thread's calls that allocate or query, while it lives, from invalidating a capture
/// that some thread, this one included, has under way.
class relaxed_capture_mode {
 public:
  relaxed_capture_mode() noexcept { exchange(); }
  ~relaxed_capture_mode() { exchange(); }
  relaxed_capture_mode(const relaxed_capture_mode&) = delete;
  relaxed_capture_mode& operator=(const relaxed_capture_mode&) = delete;

 private:
  void exchange() noexcept { cudaThreadExchangeStreamCaptureMode(&mode_); }

  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Whether work put on `stream` becomes part of a graph. The legacy default stream, when some other
/// stream's capture forbids its use, is reported as the error that its use would be.
inline bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "asking whether the stream is being captured");
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

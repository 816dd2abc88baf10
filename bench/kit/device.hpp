// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>

namespace bench {

inline void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // so that the next case starts clean
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(status));
}

inline std::size_t multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(count);
}

/// Whether there is a device; says which.
inline bool has_device() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    (void)cudaGetLastError();
    std::printf("no CUDA device: nothing is measured\n");
    return false;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  std::printf("%s, %d multiprocessors\n", properties.name, properties.multiProcessorCount);
  return true;
}

/// Device memory that only grows: a run over many cases rarely allocates, and never while timing.
class buffer {
 public:
  buffer() = default;
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { (void)cudaFree(memory_); }  // at exit the runtime may already be gone

  /// Reserves at least that many bytes; what they held is lost when the buffer grows.
  void* reserve(std::size_t bytes) {
    if (bytes > capacity_) {
      check(cudaFree(memory_), "cudaFree");
      memory_ = nullptr;
      capacity_ = 0;
      check(cudaMalloc(&memory_, bytes), "cudaMalloc");
      capacity_ = bytes;
    }
    return memory_;
  }

  template <class T>
  T* reserve_for(std::size_t n) {
    return static_cast<T*>(reserve(n * sizeof(T)));
  }

 private:
  void* memory_ = nullptr;
  std::size_t capacity_ = 0;
};

/// A pair of CUDA events on the default stream.
class stopwatch {
 public:
  stopwatch() {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() {
    (void)cudaEventDestroy(start_);
    (void)cudaEventDestroy(stop_);
  }

  void start() { check(cudaEventRecord(start_), "cudaEventRecord"); }
  void stop() { check(cudaEventRecord(stop_), "cudaEventRecord"); }
  double seconds() {
    float milliseconds = 0;
    check(cudaEventSynchronize(stop_), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t start_{};
  cudaEvent_t stop_{};
};

}  // namespace bench

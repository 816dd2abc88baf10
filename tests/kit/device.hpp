// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the GPU suites need of the CUDA runtime.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "environment.hpp"
#include "red_zones.hpp"

namespace kit {

inline bool has_device() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count > 0;
  cudaGetLastError();
  return false;
}

/// Checks the test's own CUDA calls, whose failure must not be blamed on the library.
inline void cuda_ok(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(std::string("the test's own CUDA call failed: ") +
                           cudaGetErrorString(status));
}

inline std::size_t free_device_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  cuda_ok(cudaMemGetInfo(&free, &total));
  return free;
}

/// Waits for the copy: cudaMemcpy from pageable memory may return before the elements have arrived,
/// and a stream that does not block does not wait for them.
inline void copy_and_wait(void* to, const void* from, std::size_t bytes) {
  cuda_ok(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
  cuda_ok(cudaDeviceSynchronize());
}

enum class memory_kind { device, managed, pinned, pageable };

inline constexpr memory_kind every_memory_kind[] = {memory_kind::device, memory_kind::managed,
                                                    memory_kind::pinned, memory_kind::pageable};

inline const char* name_of(memory_kind kind) {
  constexpr const char* names[] = {"device", "managed", "pinned", "pageable"};
  return names[static_cast<int>(kind)];
}

/// Memory for `guarded`. Allocations are the driver's own, so that compute-sanitizer sees their
/// ends.
struct gpu_memory {
  memory_kind kind = memory_kind::device;

  void* allocate(std::size_t bytes) const {
    void* p = nullptr;
    switch (kind) {
      case memory_kind::device:
        cuda_ok(cudaMalloc(&p, bytes));
        break;
      case memory_kind::managed:
        cuda_ok(cudaMallocManaged(&p, bytes));
        break;
      case memory_kind::pinned:
        cuda_ok(cudaMallocHost(&p, bytes));
        break;
      case memory_kind::pageable:
        p = host_memory{}.allocate(bytes);
        break;
    }
    return p;
  }

  // Errors are ignored: after a lost context nothing can be freed, and that is reported elsewhere.
  void deallocate(void* p) const {
    switch (kind) {
      case memory_kind::device:
      case memory_kind::managed:
        cudaFree(p);
        break;
      case memory_kind::pinned:
        cudaFreeHost(p);
        break;
      case memory_kind::pageable:
        host_memory{}.deallocate(p);
        break;
    }
  }

  void copy(void* to, const void* from, std::size_t bytes) const {
    if (bytes == 0) return;
    if (kind == memory_kind::pageable) {
      host_memory{}.copy(to, from, bytes);
    } else {
      cuda_ok(cudaDeviceSynchronize());
      copy_and_wait(to, from, bytes);
    }
  }
};

/// A guarded range that the GPU can be given.
template <class T>
using buffer = guarded<T, gpu_memory>;

class stream {
 public:
  explicit stream(unsigned flags = cudaStreamNonBlocking) {
    cuda_ok(cudaStreamCreateWithFlags(&stream_, flags));
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }
  void synchronize() const { cuda_ok(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Launches a kernel of the test's own, which is so that a C++ compiler can translate it
/// (device_on_cpu/).
template <class... Parameters, class... Arguments>
void launch(std::size_t blocks, int threads, std::size_t shared_bytes,
            void (*kernel)(Parameters...), const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  cuda_ok(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

/// A counter that host and device can both add to, for comparators with an impure answer.
class shared_counter {
 public:
  shared_counter() {
    cuda_ok(cudaMallocManaged(&counter_, sizeof(*counter_)));
    cuda_ok(cudaMemset(counter_, 0, sizeof(*counter_)));
    cuda_ok(cudaDeviceSynchronize());
  }
  shared_counter(const shared_counter&) = delete;
  shared_counter& operator=(const shared_counter&) = delete;
  ~shared_counter() { cudaFree(counter_); }

  unsigned long long* get() const { return counter_; }

 private:
  unsigned long long* counter_ = nullptr;
};

/// Fixture of every test that needs a GPU: without one it is skipped, with one no test may leave an
/// error or unfinished work behind.
class gpu_test : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_device()) GTEST_SKIP() << "no CUDA device";
  }
  void TearDown() override {
    if (!has_device()) return;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an error was left behind";
  }
};

}  // namespace kit

/// For tests without the fixture.
#define SKIP_WITHOUT_DEVICE()                                 \
  do {                                                        \
    if (!kit::has_device()) GTEST_SKIP() << "no CUDA device"; \
  } while (false)

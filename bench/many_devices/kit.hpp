// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs that measure several devices have in common.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../kit/device.hpp"

namespace many_devices {

using bench::check;

inline void choose(int device) { check(cudaSetDevice(device), "cudaSetDevice"); }

/// Counts devices; 0 where there is no driver.
inline int count_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) (void)cudaGetLastError();
  return count;
}

/// Waits for all devices.
inline void wait_for(int devices) {
  for (int device = 0; device < devices; ++device) {
    choose(device);
    check(cudaDeviceSynchronize(), "waiting for a device");
  }
}

/// Lets each device reach the memory of the others. False: some pair cannot.
inline bool connect(int devices) {
  bool all = true;
  for (int from = 0; from < devices; ++from) {
    choose(from);
    for (int to = 0; to < devices; ++to) {
      int can = 0;
      if (from == to) continue;
      check(cudaDeviceCanAccessPeer(&can, from, to), "cudaDeviceCanAccessPeer");
      all = all && can != 0;
      if (can == 0) continue;
      const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
      } else {
        check(status, "cudaDeviceEnablePeerAccess");
      }
    }
  }
  return all;
}

/// Memory of one device.
class device_bytes {
 public:
  device_bytes(int device, std::size_t bytes) : device_(device) {
    choose(device_);
    check(cudaMalloc(&memory_, bytes), "cudaMalloc");
  }
  device_bytes(device_bytes&& other) noexcept
      : device_(other.device_), memory_(std::exchange(other.memory_, nullptr)) {}
  device_bytes& operator=(device_bytes&&) = delete;
  ~device_bytes() {
    if (memory_ == nullptr) return;
    (void)cudaSetDevice(device_);
    (void)cudaFree(memory_);
  }

  int device() const { return device_; }
  unsigned char* data() const { return static_cast<unsigned char*>(memory_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  int device_;
  void* memory_ = nullptr;
};

/// Page-locked host memory that every device can copy from and to.
class pinned_bytes {
 public:
  explicit pinned_bytes(std::size_t bytes) {
    check(cudaHostAlloc(&memory_, bytes, cudaHostAllocPortable), "cudaHostAlloc");
  }
  pinned_bytes(pinned_bytes&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
  pinned_bytes& operator=(pinned_bytes&&) = delete;
  ~pinned_bytes() { (void)cudaFreeHost(memory_); }

  unsigned char* data() const { return static_cast<unsigned char*>(memory_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_ = nullptr;
};

/// A stream of one device.
class device_stream {
 public:
  explicit device_stream(int device) {
    choose(device);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  device_stream(device_stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  device_stream& operator=(device_stream&&) = delete;
  ~device_stream() {
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Returns the median wall time of `repetitions` runs of `work`, which begins and ends with idle
/// devices; each after an untimed `restore`. One more run, first, loads kernels and fills pools.
template <class Restore, class Work>
double median_seconds(int devices, int repetitions, Restore restore, Work work) {
  using clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = 0; i <= repetitions; ++i) {
    restore();
    wait_for(devices);
    const auto begin = clock::now();
    work();
    wait_for(devices);
    const std::chrono::duration<double> elapsed = clock::now() - begin;
    if (i > 0 || repetitions == 0) seconds.push_back(elapsed.count());
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// Records what was measured, a line each: printed, and appended to the file that `--rows` names,
/// of which bench/many_devices/run makes its table.
class rows {
 public:
  explicit rows(const char* file) {
    if (file == nullptr) return;
    file_ = std::fopen(file, "a");
    if (file_ == nullptr) throw std::runtime_error(std::string("cannot write ") + file);
  }
  rows(const rows&) = delete;
  rows& operator=(const rows&) = delete;
  ~rows() {
    if (file_ != nullptr) std::fclose(file_);
  }

  void add(const std::string& what, int devices, double value, const char* unit) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g", value);
    add(what, devices, std::string(text), unit);
  }

  /// Adds a `value` that is a word.
  void add(const std::string& what, int devices, const std::string& value, const char* unit) {
    for (std::FILE* to : {stdout, file_}) {
      if (to == nullptr) continue;
      std::fprintf(to, "%s\t%d\t%s\t%s\n", what.c_str(), devices, value.c_str(), unit);
      std::fflush(to);
    }
  }

 private:
  std::FILE* file_ = nullptr;
};

/// `--name value`, of a command line that has nothing else.
class options {
 public:
  options(int argc, char** argv) : begin_(argv + 1), end_(argv + argc) {
    if (argc % 2 == 0) throw std::invalid_argument("options are --name value");
  }

  const char* text(const char* name) const {
    for (char** i = begin_; i != end_; i += 2) {
      if (std::strcmp(*i, name) == 0) return i[1];
    }
    return nullptr;
  }
  std::uint64_t number(const char* name, std::uint64_t otherwise) const {
    const char* const value = text(name);
    return value != nullptr ? std::strtoull(value, nullptr, 0) : otherwise;
  }

 private:
  char** begin_;
  char** end_;
};

/// Stops a program whose time is up between measurements: `--seconds`.
class deadline {
 public:
  explicit deadline(std::uint64_t seconds)
      : end_(std::chrono::steady_clock::now() + std::chrono::seconds(seconds)) {}
  bool has_passed() const { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

/// Returns 1, 2, 4, ... and `devices`.
inline std::vector<int> counts_up_to(int devices) {
  std::vector<int> counts;
  for (int count = 1; count < devices; count *= 2) counts.push_back(count);
  if (devices > 0) counts.push_back(devices);
  return counts;
}

}  // namespace many_devices

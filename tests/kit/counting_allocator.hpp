// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>
#include <map>
#include <new>
#include <vector>

namespace kit {

/// A Thrust-style allocator that counts, fails when told to, hands out memory full of rubbish, and
/// sees what is written outside it.
class counting_allocator {
 public:
  using value_type = char;

  counting_allocator() = default;
  counting_allocator(const counting_allocator&) = delete;
  counting_allocator& operator=(const counting_allocator&) = delete;
  ~counting_allocator() {
    for (const auto& block : live_) cudaFree(block.first - zone);
  }

  /// Fails allocations number first .. last - 1 (from 0); none after `clear()`.
  void fail(std::size_t first, std::size_t last = std::numeric_limits<std::size_t>::max()) {
    first_failing_ = first;
    last_failing_ = last;
    calls_ = 0;
  }
  void clear() { fail(std::numeric_limits<std::size_t>::max()); }

  char* allocate(std::size_t bytes) {
    const std::size_t call = calls_++;
    if (first_failing_ <= call && call < last_failing_) throw std::bad_alloc();
    char* p = nullptr;
    if (cudaMalloc(&p, bytes + 2 * zone) != cudaSuccess) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    cudaMemset(p, rubbish, bytes + 2 * zone);
    cudaDeviceSynchronize();
    live_[p + zone] = bytes;
    bytes_ += bytes;
    peak_ = bytes_ > peak_ ? bytes_ : peak_;
    return p + zone;
  }

  void deallocate(char* p, std::size_t bytes) noexcept {
    const auto block = live_.find(p);
    if (block == live_.end() || block->second != bytes) {
      misused_ = true;
      return;
    }
    cudaDeviceSynchronize();
    if (!untouched(p - zone) || !untouched(p + bytes)) misused_ = true;
    live_.erase(block);
    bytes_ -= bytes;
    cudaFree(p - zone);
  }

  std::size_t calls() const { return calls_; }
  std::size_t live() const { return live_.size(); }
  std::size_t peak_bytes() const { return peak_; }
  /// Whether all was given back, once and with its own size, and nothing was written outside.
  bool clean() const { return live_.empty() && !misused_; }

 private:
  static constexpr std::size_t zone = 1024;  // keeps cudaMalloc's alignment of 256
  static constexpr int rubbish = 0xCB;

  static bool untouched(const char* device_zone) {
    std::vector<unsigned char> bytes(zone);
    if (cudaMemcpy(bytes.data(), device_zone, zone, cudaMemcpyDefault) != cudaSuccess) return false;
    for (unsigned char b : bytes) {
      if (b != rubbish) return false;
    }
    return true;
  }

  std::map<char*, std::size_t> live_;
  std::size_t calls_ = 0;
  std::size_t first_failing_ = std::numeric_limits<std::size_t>::max();
  std::size_t last_failing_ = std::numeric_limits<std::size_t>::max();
  std::size_t bytes_ = 0;
  std::size_t peak_ = 0;
  bool misused_ = false;
};

}  // namespace kit

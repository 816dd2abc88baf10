// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs that measure host data have in common.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace host_bench {

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

template <class Work>
double seconds(Work work) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  work();
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// Runs body(begin, end) on all cores.
template <class Body>
void in_parallel(std::size_t n, Body body) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < cores; ++i) {
    threads.emplace_back([=] { body(n / cores * i, i + 1 == cores ? n : n / cores * (i + 1)); });
  }
  for (auto& thread : threads) thread.join();
}

inline std::uint64_t number_at(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

}  // namespace host_bench

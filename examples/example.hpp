// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

/// Holds what the examples share, and a program that uses gpusort does not need.
namespace example {

inline bool has_device() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();  // the runtime remembers the failure of a call; this one is an answer
  return found;
}

/// Returns the wall time of the fastest of three runs of `work`, each after an untimed `restore` of
/// its input. The first run of a program also pays for loading the kernels and for filling the
/// scratch pool.
template <class Restore, class Work>
double milliseconds(Restore restore, Work work) {
  using clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < 3; ++run) {
    restore();
    const auto start = clock::now();
    work();
    const std::chrono::duration<double, std::milli> elapsed = clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

/// Verifies: the examples run as tests: one that finds a wrong result says which, and fails.
inline void verify(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", claim);
  std::exit(EXIT_FAILURE);
}

}  // namespace example

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of this folder have in common: rows of our time, Thrust's, and their ratio.
#pragma once

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <gpusort/gpusort.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../kit/measure.hpp"

namespace honest {

/// Returns a number that only i decides, and that looks random.
__host__ __device__ inline std::uint64_t mix(std::uint64_t i) {
  i += 0x9e3779b97f4a7c15ull;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return i ^ i >> 31;
}

template <class T, class Make>
__global__ void fill_kernel(T* out, std::uint64_t n, Make make) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make(i);
}

/// Makes n elements on the device of their indices.
template <class T, class Make>
thrust::device_vector<T> filled(std::uint64_t n, Make make) {
  thrust::device_vector<T> elements(n);
  fill_kernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(
      thrust::raw_pointer_cast(elements.data()), n, make);
  bench::check(cudaDeviceSynchronize(), "filling the input");
  return elements;
}

/// Returns the milliseconds of a call, synchronized before and after.
template <class Call>
double milliseconds_of(Call call) {
  bench::check(cudaDeviceSynchronize(), "waiting for the input");
  const auto begin = std::chrono::steady_clock::now();
  call();
  bench::check(cudaDeviceSynchronize(), "a call");
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Prints the medians of 7 calls of each, in turns, and Thrust's over ours. `restore` brings the
/// input back before each; one call of each is not counted.
template <class Restore, class Ours, class Peer>
void row(const std::string& name, Restore restore, Ours ours, Peer peer) {
  std::vector<double> mine, theirs;
  for (int i = 0; i < 8; ++i) {
    restore();
    const double a = milliseconds_of(ours);
    restore();
    const double b = milliseconds_of(peer);
    if (i == 0) continue;
    mine.push_back(a);
    theirs.push_back(b);
  }
  const double a = bench::median_of(mine), b = bench::median_of(theirs);
  std::printf("%s\t%.4f\t%.4f\t%.3f\n", name.c_str(), a, b, b / a);
  std::fflush(stdout);
}

inline std::string power(int log2n) { return ", 2^" + std::to_string(log2n); }

}  // namespace honest

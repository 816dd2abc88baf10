// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts by a comparator that takes microseconds.
#include <thrust/sort.h>

#include "rows.hpp"

namespace {

using honest::mix;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// `<` of numbers that take `steps` dependent multiplications each, and their inverse.
struct slow_less {
  int steps;
  __host__ __device__ u32 key(u32 x) const {
    u32 y = x;
#pragma unroll 1
    for (int i = 0; i < steps; ++i) y = y * 1664525u + 1013904223u;
#pragma unroll 1
    for (int i = 0; i < steps; ++i) y = (y - 1013904223u) * 4276115653u;
    return y;
  }
  __host__ __device__ bool operator()(u32 a, u32 b) const { return key(a) < key(b); }
};

void slow_row(int log2n, int steps) {
  const u64 n = u64{1} << log2n;
  const auto input = honest::filled<u32>(n, [] __host__ __device__(u64 i) { return u32(mix(i)); });
  auto work = input;
  const slow_less compare{steps};
  honest::row(
      "stable_sort, comparator of " + std::to_string(4 * steps) + " dependent steps" +
          honest::power(log2n),
      [&] { work = input; },
      [&] { gpusort::stable_sort(gpusort::par_gpu, work.begin(), work.end(), compare); },
      [&] { thrust::stable_sort(thrust::cuda::par, work.begin(), work.end(), compare); });
  honest::row(
      "sort, comparator of " + std::to_string(4 * steps) + " dependent steps" +
          honest::power(log2n),
      [&] { work = input; },
      [&] { gpusort::sort(gpusort::par_gpu, work.begin(), work.end(), compare); },
      [&] { thrust::sort(thrust::cuda::par, work.begin(), work.end(), compare); });
}

}  // namespace

int main() {
  for (int log2n : {16, 18, 19, 20, 21, 22, 23}) slow_row(log2n, 150);
}

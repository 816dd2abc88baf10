// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: verify
// expect: goes to Thrust
#include <thrust/sort.h>

#include <gpusort/thrust.hpp>

struct stubborn {
  int value;
  __host__ __device__ stubborn(int v = 0) : value(v) {}
  __host__ __device__ stubborn(const stubborn& other) : value(other.value) {}
  __host__ __device__ stubborn& operator=(const stubborn& other) {
    value = other.value;
    return *this;
  }
};
__host__ __device__ bool operator<(const stubborn& a, const stubborn& b) {
  return a.value < b.value;
}

void call(stubborn* p) { thrust::sort(gpusort::par_gpu.with(gpusort::verify), p, p + 1); }

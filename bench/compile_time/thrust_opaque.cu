// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

struct by_last_digit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

void call(int* p, long n) { thrust::sort(thrust::cuda::par, p, p + n, by_last_digit{}); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

struct record {
  long long key, fields[7];
};

struct by_key {
  __host__ __device__ bool operator()(const record& a, const record& b) const {
    return a.key < b.key;
  }
};

void call(record* p, long n) { thrust::sort(thrust::cuda::par, p, p + n, by_key{}); }

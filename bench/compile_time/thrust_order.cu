// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

struct record {
  unsigned key;
  float weight;
  int fields[6];
};

struct by_key_then_weight {
  __host__ __device__ bool operator()(const record& a, const record& b) const {
    return a.key != b.key ? a.key < b.key : a.weight > b.weight;
  }
};

void call(record* p, long n) { thrust::sort(thrust::cuda::par, p, p + n, by_key_then_weight{}); }

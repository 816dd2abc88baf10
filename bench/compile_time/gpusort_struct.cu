// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/sort.hpp>

struct record {
  long long key, fields[7];
};

struct by_key {
  __host__ __device__ bool operator()(const record& a, const record& b) const {
    return a.key < b.key;
  }
};

void call(record* p, long n) { gpusort::sort(gpusort::par_gpu, p, p + n, by_key{}); }

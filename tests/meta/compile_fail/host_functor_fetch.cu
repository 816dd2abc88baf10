// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort_needs_host_device_before_the_operator_of
#include <gpusort/index_sort.hpp>

struct key_at {
  int operator()(int i) const { return -i; }
};
struct swap {
  __host__ __device__ void operator()(int, int) const {}
};

void fetch() { gpusort::sort(gpusort::par_gpu, 0, 9, key_at(), gpusort::less(), swap()); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: radix_sort
// expect: see through
// at most: 25 lines
#include <gpusort/sort.hpp>

struct by_remainder {
  GPUSORT_HOST_DEVICE bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

void call(int* p) {
  gpusort::sort(gpusort::par_gpu.with(gpusort::algorithm::radix_sort), p, p + 1, by_remainder{});
}

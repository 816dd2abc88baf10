// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: comparator
#include <gpusort/sort.hpp>

struct takes_one {
  GPUSORT_HOST_DEVICE bool operator()(int) const { return true; }
};

void call(int* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, takes_one{}); }

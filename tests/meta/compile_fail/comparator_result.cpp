// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: comparator
#include <gpusort/sort.hpp>

struct answers_nothing {
  GPUSORT_HOST_DEVICE void operator()(int, int) const {}
};

void call(int* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, answers_nothing{}); }

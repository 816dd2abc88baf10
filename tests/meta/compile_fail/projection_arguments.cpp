// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: projection
#include <gpusort/sort.hpp>

struct record {
  int key;
};

struct of_two {
  GPUSORT_HOST_DEVICE int operator()(const record& a, const record&) const { return a.key; }
};

void call(record* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::less{}, of_two{}); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: comparator
#include <gpusort/sort.hpp>

struct record {
  int key;
};

struct compares_strings {
  GPUSORT_HOST_DEVICE bool operator()(const char*, const char*) const { return true; }
};

void call(record* p) { gpusort::stable_sort(gpusort::par_gpu, p, p + 1, compares_strings{}); }

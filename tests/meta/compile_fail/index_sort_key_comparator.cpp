// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: compare\(a, b\)
#include <gpusort/index_sort.hpp>

struct key {
  int value;
};
struct fetch {
  GPUSORT_HOST_DEVICE key operator()(int i) const { return {i}; }
};
struct compare_strings {
  bool operator()(const char*, const char*) const { return false; }
};
struct swap_nothing {
  GPUSORT_HOST_DEVICE void operator()(int, int) const {}
};

void call() { gpusort::sort(gpusort::par_gpu, 0, 10, fetch{}, compare_strings{}, swap_nothing{}); }

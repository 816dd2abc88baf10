// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: compare\(i, j\)
#include <gpusort/index_sort.hpp>

struct compare_pointers {
  bool operator()(const int* a, const int* b) const { return *a < *b; }
};
struct swap_nothing {
  void operator()(int, int) const {}
};

void call() { gpusort::sort(gpusort::par_gpu, 0, 10, compare_pointers{}, swap_nothing{}); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: swap\(i, j\)
#include <gpusort/index_sort.hpp>

struct compare {
  bool operator()(int i, int j) const { return i < j; }
};
struct swap_one {
  void operator()(int) const {}
};

void call() { gpusort::sort(gpusort::par_gpu, 0, 10, compare{}, swap_one{}); }

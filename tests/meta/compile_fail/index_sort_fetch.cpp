// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: fetch\(i\)
#include <gpusort/index_sort.hpp>

struct fetch_two {
  int operator()(int i, int) const { return i; }
};
struct swap_nothing {
  void operator()(int, int) const {}
};

void call() {
  gpusort::sort(gpusort::par_gpu, 0, 10, fetch_two{}, gpusort::less{}, swap_nothing{});
}

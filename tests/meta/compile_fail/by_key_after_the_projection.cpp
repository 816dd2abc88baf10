// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a comparator and a projection, and no more
#include <gpusort/sort.hpp>

struct half {
  int operator()(int x) const { return x / 2; }
};

void call(int* first, int* last, int* values) {
  gpusort::stable_sort_by_key(gpusort::par_gpu, first, last, values, gpusort::greater{}, half{},
                              values);
}

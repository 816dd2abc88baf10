// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: comparator|order|<
#include <gpusort/sort.hpp>

struct without_less {
  int key;
};

void call(without_less* p) { gpusort::sort(gpusort::par_gpu, p, p + 1); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: counting_sort
// expect: numbers of one or two bytes
#include <gpusort/sort.hpp>

void f(int* first, int* last) {
  gpusort::sort(gpusort::par_gpu.with(gpusort::algorithm::counting_sort), first, last);
}

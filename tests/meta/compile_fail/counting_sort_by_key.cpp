// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: counting_sort
// expect: no values
#include <gpusort/sort.hpp>

void f(unsigned short* first, unsigned short* last, int* values) {
  gpusort::sort_by_key(gpusort::par_gpu.with(gpusort::algorithm::counting_sort), first, last,
                       values);
}

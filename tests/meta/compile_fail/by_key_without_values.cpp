// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: ranges of values come before the comparator
#include <gpusort/sort.hpp>

void call(int* first, int* last) {
  gpusort::sort_by_key(gpusort::par_gpu, first, last, gpusort::greater{});
}

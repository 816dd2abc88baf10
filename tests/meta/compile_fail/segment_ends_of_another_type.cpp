// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: begin and end must be of one type
#include <gpusort/segmented_sort.hpp>

void call(int* first, int* last, const int* begins, const long long* ends) {
  gpusort::segmented_sort(gpusort::par_gpu, first, last, begins, begins + 2, ends);
}

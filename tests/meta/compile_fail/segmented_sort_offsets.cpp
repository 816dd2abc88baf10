// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: offsets of the segments
// expect: integers
#include <gpusort/segmented_sort.hpp>

void call(int* data, const double* offsets) {
  gpusort::segmented_sort(gpusort::par_gpu, data, data + 9, offsets, offsets + 2);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cannot be written to
#include <gpusort/segmented_sort.hpp>

void call(int* keys, const int* values, const int* offsets) {
  gpusort::segmented_sort_by_key(gpusort::par_gpu, keys, keys + 9, values, offsets, offsets + 2);
}

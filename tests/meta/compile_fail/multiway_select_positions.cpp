// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: positions
// expect: integers
#include <gpusort/merge.hpp>

void call(const int* data, const int* offsets, float* positions) {
  gpusort::multiway_select(gpusort::par_gpu, data, offsets, offsets + 2, 1, positions);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: offsets
// expect: integers
#include <gpusort/merge.hpp>

void call(const int* data, const double* offsets, int* out) {
  gpusort::multiway_merge(gpusort::par_gpu, data, offsets, offsets + 2, out);
}

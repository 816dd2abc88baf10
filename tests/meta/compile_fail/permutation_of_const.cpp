// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cannot be written to
#include <gpusort/permutation.hpp>

void call(int* p, const int* values, int* indices) {
  gpusort::apply_inverse_permutation(gpusort::par_gpu, p, p + 1, indices, values);
}

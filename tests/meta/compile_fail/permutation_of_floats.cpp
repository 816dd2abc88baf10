// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: indices of a permutation are integers
#include <gpusort/permutation.hpp>

void call(int* p, float* indices) {
  gpusort::apply_permutation(gpusort::par_gpu, p, p + 1, indices);
}

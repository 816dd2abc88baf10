// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: const|writ
#include <gpusort/merge.hpp>

void call(const int* p, const int* out) {
  gpusort::merge(gpusort::par_gpu, p, p + 1, p + 1, p + 2, out);
}

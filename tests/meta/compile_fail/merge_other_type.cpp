// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: convert
#include <gpusort/merge.hpp>

struct record {
  int key;
};

void call(const int* p, const record* q, int* out) {
  gpusort::merge(gpusort::par_gpu, p, p + 1, q, q + 1, out);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: projection must be a pointer to a member or callable
#include <gpusort/merge.hpp>

struct trade {
  int volume;
};

void call(const int* a, int* out) {
  gpusort::merge(gpusort::par_gpu, a, a + 1, a + 1, a + 2, out, {}, &trade::volume);
}

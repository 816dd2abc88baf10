// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: lambda of the host
// at most: 25 lines
#include <gpusort/index_sort.hpp>

void call(int* p) {
  gpusort::sort(
      gpusort::par_gpu, 0, 10, [=] __device__(int i, int j) { return p[i] < p[j]; },
      [=](int i, int j) {
        const int held = p[i];
        p[i] = p[j];
        p[j] = held;
      });
}

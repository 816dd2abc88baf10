// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: lambda of the host
// expect: __device__
// at most: 25 lines
#include <gpusort/sort.hpp>

void call(int* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, [](int a, int b) { return a > b; });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: fetch
// expect: return type
#include <gpusort/index_sort.hpp>

// nvcc cannot tell the host what such a lambda returns.
void call(int* p) {
  gpusort::sort(
      gpusort::par_gpu, 0, 10, [=] __device__(int i) { return p[i]; }, gpusort::less{},
      [=] __device__(int, int) {});
}

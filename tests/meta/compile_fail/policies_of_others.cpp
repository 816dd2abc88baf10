// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <execution>
#include <gpusort/gpusort.hpp>

// expect: sort takes a policy of gpusort
// expect: write gpusort::par_gpu
void f(int* p) { gpusort::sort(std::execution::par, p, p + 1); }

// expect: merge takes a policy of gpusort
void f(const int* p, int* out) {
  gpusort::merge(std::execution::par_unseq, p, p + 1, p + 1, p + 2, out);
}

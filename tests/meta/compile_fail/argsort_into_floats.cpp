// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: integ|index
#include <gpusort/sort.hpp>

void call(int* p, float* indices) { gpusort::argsort(gpusort::par_gpu, p, p + 1, indices); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the device has no long double; sort double
#include <gpusort/sort.hpp>

void call(long double* p) { gpusort::sort(gpusort::par_gpu, p, p + 1); }

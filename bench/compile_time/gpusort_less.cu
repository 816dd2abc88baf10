// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/sort.hpp>

void call(int* p, long n) { gpusort::sort(gpusort::par_gpu, p, p + n); }

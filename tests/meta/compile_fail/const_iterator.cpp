// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: const|writ|assign|mutable
#include <gpusort/sort.hpp>

void call(const int* p) { gpusort::sort(gpusort::par_gpu, p, p + 1); }

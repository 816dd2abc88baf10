// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: const|writ|assign|mutable
#include <gpusort/sort.hpp>

void call(const int* p, const int* out) { gpusort::sort_copy(gpusort::par_gpu, p, p + 1, out); }

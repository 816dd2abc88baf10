// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: const|writ|assign|mutable
#include <gpusort/sort.hpp>

void call(int* keys, const int* values) {
  gpusort::sort_by_key(gpusort::par_gpu, keys, keys + 1, values);
}

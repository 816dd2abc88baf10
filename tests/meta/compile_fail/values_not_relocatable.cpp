// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: relocatable
#include <gpusort/sort.hpp>
#include <string>

void call(int* keys, std::string* values) {
  gpusort::stable_sort_by_key(gpusort::par_gpu, keys, keys + 1, values);
}

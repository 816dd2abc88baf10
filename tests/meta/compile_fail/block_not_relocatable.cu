// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a block sorts
// expect: trivially relocatable
#include <gpusort/block.hpp>
#include <string>

__global__ void f(int* keys, int n, std::string* values) {
  gpusort::block::sort_by_key(keys, keys + n, values);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: power of two of items
#include <gpusort/block.hpp>

__global__ void f(int* data) {
  int keys[3] = {data[0], data[1], data[2]};
  gpusort::warp::sort(keys);
  data[0] = keys[0];
}

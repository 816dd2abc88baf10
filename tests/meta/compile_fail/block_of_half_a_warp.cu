// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: 32 to 1024 threads
#include <gpusort/block.hpp>

__global__ void f(int* first, int* last) {
  __shared__ gpusort::block::sort_storage<int, 16, 8> storage;
  gpusort::block::sort(storage, first, last);
}

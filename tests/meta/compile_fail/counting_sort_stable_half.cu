// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: counting_sort
// expect: stable or deterministic sort, integers
#include <cuda_fp16.h>

#include <gpusort/sort.hpp>

void f(__half* first, __half* last) {
  gpusort::stable_sort(gpusort::par_gpu.with(gpusort::algorithm::counting_sort), first, last);
}

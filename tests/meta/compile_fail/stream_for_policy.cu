// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: sort takes a policy first, not a stream
// expect: par_gpu.on
// at most: 25 lines
#include <gpusort/sort.hpp>

void call(cudaStream_t stream, int* p) { gpusort::sort(stream, p, p + 1); }

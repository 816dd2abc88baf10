// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: verify
// expect: output cannot be read
#include <thrust/iterator/discard_iterator.h>

#include <gpusort/merge.hpp>

void call(const int* p) {
  gpusort::merge(gpusort::par_gpu.with(gpusort::verify), p, p + 1, p + 1, p + 2,
                 thrust::make_discard_iterator());
}

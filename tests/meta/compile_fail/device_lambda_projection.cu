// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: projection
// expect: return type|proclaim_return_type
#include <gpusort/sort.hpp>

struct record {
  int key;
};

// nvcc cannot tell the host what such a lambda returns.
void call(record* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::less{},
                [] __device__(const record& r) { return r.key; });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: lambda of the host
// at most: 25 lines
#include <gpusort/sort.hpp>

struct record {
  int key;
};

void call(record* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::less{}, [](const record& r) { return r.key; });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: lambda of the host
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>

struct record {
  int key;
};

void call(record* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1,
                gpusort::order_by([](const record& r) -> int { return r.key; }));
}

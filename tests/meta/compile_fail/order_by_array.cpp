// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: array has no order
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>

struct record {
  int keys[4];
};

void call(record* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::order_by(&record::keys));
}

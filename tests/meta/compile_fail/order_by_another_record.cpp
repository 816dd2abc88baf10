// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no member of these records
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>

struct record {
  int key;
};
struct other {
  int key;
};

void call(record* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::order_by(gpusort::asc(&other::key)));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the device has no long double; order by double
#include <gpusort/sort.hpp>

struct record {
  int id;
  long double value;
};

void call(record* p) {
  gpusort::is_sorted(gpusort::par_gpu, p, p + 1, gpusort::order_by(&record::value));
}

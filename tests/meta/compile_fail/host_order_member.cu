// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: needs_a_host_device_operator_less_or_a_comparator
#include <gpusort/sort.hpp>

struct host_order {
  int x;
  bool operator<(const host_order& o) const { return x < o.x; }
};

struct record {
  host_order key;
};

void call(record* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::order_by(gpusort::asc(&record::key)));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort_needs_host_device_before_the_operator_of
#include <gpusort/sort.hpp>

struct trade {
  int day;
};
struct week_of {
  int operator()(const trade& x) const { return x.day / 7; }
};

void field(trade* p) {
  gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::order_by(gpusort::asc(week_of())));
}

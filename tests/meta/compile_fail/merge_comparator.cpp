// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: comparator
#include <gpusort/merge.hpp>

struct takes_one {
  GPUSORT_HOST_DEVICE bool operator()(int) const { return true; }
};

void call(const int* p, int* out) {
  gpusort::multiway_merge(gpusort::par_gpu, p, p, p + 1, out, takes_one{});
}

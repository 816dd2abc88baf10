// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort: in_place is for one device
#include <gpusort/devices.hpp>

void call(int* p) {
  gpusort::sort(gpusort::par_gpu.with(gpusort::in_place), gpusort::shards<int>({{p, 1}}));
}

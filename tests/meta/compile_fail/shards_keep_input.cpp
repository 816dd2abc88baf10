// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort: calls on shards take neither on_devices.* nor keep_input
#include <gpusort/devices.hpp>

void call(int* p) {
  gpusort::sort(gpusort::par_gpu.with(gpusort::keep_input), gpusort::shards<int>({{p, 1}}));
}

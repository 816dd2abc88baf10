// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort: calls on shards take neither on_devices
#include <gpusort/devices.hpp>

void call(int* p) {
  gpusort::sort(gpusort::par_gpu.on_devices({0}), gpusort::shards<int>({{p, 1}}));
}

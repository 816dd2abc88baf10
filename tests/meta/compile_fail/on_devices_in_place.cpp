// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort: in_place is for one device
#include <gpusort/devices.hpp>

void call(int* p) {
  gpusort::sort(gpusort::par_gpu.on_devices({0, 1}).with(gpusort::in_place), p, p + 1);
}

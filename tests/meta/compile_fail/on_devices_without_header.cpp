// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort: on_devices needs #include <gpusort/devices.hpp>
#include <gpusort/sort.hpp>

void call(int* p) { gpusort::sort(gpusort::par_gpu.on_devices({0, 1}), p, p + 1); }

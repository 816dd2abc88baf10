// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort: distributed calls do not take .*on_devices
#include <gpusort/devices.hpp>
#include <gpusort/distributed/in_process.hpp>

void call(gpusort::distributed::in_process& ranks) {
  gpusort::distributed::sort(ranks, gpusort::par_gpu.on_devices({0}),
                             std::vector<gpusort::distributed::rank_range<int*>>());
}

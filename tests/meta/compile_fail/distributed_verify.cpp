// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: verify
#include <gpusort/distributed/in_process.hpp>

void call(gpusort::distributed::in_process& ranks) {
  gpusort::distributed::sort(ranks, gpusort::par_gpu.with(gpusort::verify),
                             std::vector<gpusort::distributed::rank_range<int*>>());
}

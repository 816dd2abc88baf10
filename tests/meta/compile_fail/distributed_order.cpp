// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: operator<
#include <gpusort/distributed/in_process.hpp>

struct unordered {
  int value;
};

void call(gpusort::distributed::in_process& ranks) {
  gpusort::distributed::sort(ranks, gpusort::par_gpu,
                             std::vector<gpusort::distributed::rank_range<unordered*>>());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a communicator has rank\(\)
#include <gpusort/distributed.hpp>

struct half_a_communicator {
  int rank() const { return 0; }
  int size() const { return 1; }
};

void call(half_a_communicator& ranks, int* p) {
  gpusort::distributed::sort(ranks, gpusort::par_gpu, p, p + 1);
}

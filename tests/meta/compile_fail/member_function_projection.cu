// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: pointer to a member function is of the host alone
#include <gpusort/sort.hpp>

struct record {
  int key() const { return 1; }
};

void call(record* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::less{}, &record::key); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: needs_host_device_before_the_operator_of
#include <gpusort/sort.hpp>

struct record {
  int key;
};

struct key_of {
  int operator()(const record& r) const { return r.key; }
};

void call(record* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, gpusort::less{}, key_of{}); }

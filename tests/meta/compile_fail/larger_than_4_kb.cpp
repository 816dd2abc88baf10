// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: 4|bytes|KB|large
#include <gpusort/sort.hpp>

struct record {
  int key;
  char rest[4096];
};

struct by_key {
  GPUSORT_HOST_DEVICE bool operator()(const record& a, const record& b) const {
    return a.key < b.key;
  }
};

void call(record* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, by_key{}); }

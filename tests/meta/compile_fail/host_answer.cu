// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gpusort_needs_a_host_device_conversion_to_bool
#include <gpusort/sort.hpp>

struct answer {
  bool is_yes;
  operator bool() const { return is_yes; }
};

struct trade {
  int day;
};
struct before {
  __host__ __device__ answer operator()(int a, int b) const { return {a < b}; }
};

void call(trade* p) { gpusort::sort(gpusort::par_gpu, p, p + 1, before(), &trade::day); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: needs_a_host_device_operator_less_or_a_comparator
#include <gpusort/block.hpp>

struct host_order {
  int x;
  bool operator<(const host_order& o) const { return x < o.x; }
};

__global__ void f(host_order* p) { gpusort::block::sort(p, p + 1); }

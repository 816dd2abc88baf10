// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose .cpp and .cu both sort. Linked carelessly, one of them gets the other's code.
#include <cstdio>

#include "units.hpp"

int main() {
  int failures = 0;
  const std::vector<int> sorted{1, 2, 3, 4, 5};
  // Twice each, in turns: a route that the other unit replaced would show in either order.
  for (auto sort : {host_unit::sort, cuda_unit::sort, host_unit::sort, cuda_unit::sort}) {
    std::vector<int> v{3, 1, 2, 5, 4};
    sort(v);
    failures += v != sorted;
  }
  std::printf("the types of their plans: %s, %s\n", host_unit::plan_type().c_str(),
              cuda_unit::plan_type().c_str());
  failures += host_unit::plan_type() == cuda_unit::plan_type();
  return failures;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose .cpp and .cu both sort. Linked carelessly, one of them gets the other's code.
#include <cstdio>
#include <set>

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
  for (auto is_sorted : {per_thread_unit::is_sorted, three_architectures_unit::is_sorted}) {
    failures += !is_sorted(sorted);
  }
  const std::set<std::string> plan_types{host_unit::plan_type(), cuda_unit::plan_type(),
                                         per_thread_unit::plan_type(),
                                         three_architectures_unit::plan_type()};
  std::printf("the types of their plans:\n");
  for (const std::string& type : plan_types) std::printf("%s\n", type.c_str());
  failures += plan_types.size() != 4;
  return failures;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: sort_by_key takes a policy first
// at most: 25 lines
#include <gpusort/sort.hpp>
#include <vector>

void call(std::vector<int>& keys, std::vector<int>& values) {
  gpusort::sort_by_key(keys.begin(), keys.end(), values.begin());
}

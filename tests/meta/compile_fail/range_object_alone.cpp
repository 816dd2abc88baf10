// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: sort takes a policy first
// at most: 25 lines
#include <gpusort/sort.hpp>
#include <vector>

void call(std::vector<int>& v) { gpusort::sort(v); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: stable_sort takes iterators
// at most: 25 lines
#include <functional>
#include <gpusort/sort.hpp>
#include <vector>

void call(std::vector<int>& v) { gpusort::stable_sort(gpusort::par_gpu, v, std::less<int>{}); }

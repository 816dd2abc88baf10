// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: random.access
// at most: 25 lines
#include <gpusort/sort.hpp>
#include <list>

void call(std::list<int>& l) { gpusort::sort(gpusort::par_gpu, l.begin(), l.end()); }

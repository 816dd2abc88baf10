// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: the device has no long double; sort double
#include <gpusort/sort.hpp>
#include <utility>

void call(std::pair<int, long double>* p) { gpusort::is_sorted(gpusort::par_gpu, p, p + 1); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: pair
// expect: offsets
#include <gpusort/merge.hpp>

void call(int* runs, int* out) { gpusort::multiway_merge(gpusort::par_gpu, runs, runs + 2, out); }

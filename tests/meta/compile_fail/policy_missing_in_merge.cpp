// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: [ ]merge takes a policy first
// at most: 25 lines
#include <gpusort/merge.hpp>

void call(const int* p, int* out) { gpusort::merge(p, p + 1, p + 1, p + 2, out); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: lambda of the host
// at most: 25 lines
#include <gpusort/merge.hpp>

void call(int* p) {
  gpusort::inplace_merge(gpusort::par_gpu, p, p + 1, p + 2,
                         [&](const auto& a, const auto& b) { return a > b; });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: relocatable
#include <gpusort/merge.hpp>
#include <string>

void call(const std::string* p, std::string* out) {
  gpusort::merge(gpusort::par_gpu, p, p + 1, p + 1, p + 2, out);
}

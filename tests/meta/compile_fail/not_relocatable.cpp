// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: relocatable
#include <gpusort/sort.hpp>
#include <string>

void call(std::string* p) { gpusort::sort(gpusort::par_gpu, p, p + 1); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "units.hpp"

#include <gpusort/gpusort.hpp>
#include <typeinfo>

namespace cuda_unit {
void sort(std::vector<int>& v) { gpusort::sort(gpusort::par_gpu, v.begin(), v.end()); }
std::string plan_type() { return typeid(gpusort::plan).name(); }
}  // namespace cuda_unit

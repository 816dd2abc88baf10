// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled several times, as namespace UNIT, each time with other flags than cuda_unit.cu.
#include "units.hpp"

#include <gpusort/gpusort.hpp>
#include <typeinfo>

namespace UNIT {
bool is_sorted(const std::vector<int>& v) {
  return gpusort::is_sorted(gpusort::par_gpu, v.begin(), v.end());
}
std::string plan_type() { return typeid(gpusort::plan).name(); }
}  // namespace UNIT

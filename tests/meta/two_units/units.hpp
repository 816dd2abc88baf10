// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

// The same two functions, with the same template arguments inside, in a .cpp and in a .cu.
namespace host_unit {
void sort(std::vector<int>& v);
std::string plan_type();
}  // namespace host_unit

namespace cuda_unit {
void sort(std::vector<int>& v);
std::string plan_type();
}  // namespace cuda_unit

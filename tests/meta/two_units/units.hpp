// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

// Functions with equal template arguments inside, in a .cpp and in a .cu, and in .cu
// files that are compiled with other flags.
namespace host_unit {
void sort(std::vector<int>& v);
std::string plan_type();
}  // namespace host_unit

namespace cuda_unit {
void sort(std::vector<int>& v);
std::string plan_type();
}  // namespace cuda_unit

namespace per_thread_unit {  // --default-stream per-thread
bool is_sorted(const std::vector<int>& v);
std::string plan_type();
}  // namespace per_thread_unit

namespace three_architectures_unit {
bool is_sorted(const std::vector<int>& v);
std::string plan_type();
}  // namespace three_architectures_unit

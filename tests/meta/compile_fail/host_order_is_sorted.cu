// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: needs_a_host_device_operator_less_or_a_comparator
#include <gpusort/sort.hpp>
#include <string_view>

bool call(std::string_view* p) { return gpusort::is_sorted(gpusort::par_gpu, p, p + 1); }

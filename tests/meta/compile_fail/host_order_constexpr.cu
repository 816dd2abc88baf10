// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: needs_a_host_device_operator_less_or_a_comparator
#include <gpusort/sort.hpp>
#include <optional>

void call(std::optional<int>* p) { gpusort::sort(gpusort::par_gpu, p, p + 1); }

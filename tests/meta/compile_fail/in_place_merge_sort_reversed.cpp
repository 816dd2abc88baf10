// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: in_place
// expect: bitonic_sort
// at most: 25 lines
#include <gpusort/execution_policy.hpp>

const auto policy = gpusort::par_gpu.with(gpusort::in_place).with(gpusort::algorithm::merge_sort);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: in_place
// expect: bitonic_sort
// at most: 25 lines
#include <gpusort/execution_policy.hpp>

const auto policy = gpusort::par_gpu.with(gpusort::algorithm::sample_sort, gpusort::in_place);

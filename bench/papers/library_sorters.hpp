// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorters of 32-bit keys that stand next to those of the papers.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>

#include "../kit/types.hpp"
#include "key_run.hpp"

namespace bench {

template <class Policy, class... Compare>
key_sorter gpusort_sorter(const std::string& name, const Policy& policy, Compare... compare) {
  return {name, [=](std::uint32_t* data, std::size_t n) {
            gpusort::sort(policy, data, data + n, compare...);
          }};
}

/// Sorts by the algorithm, whatever the route.
template <class Algorithm, class... Compare>
key_sorter forced_sorter(const std::string& name, Algorithm algorithm, Compare... compare) {
  return gpusort_sorter(name, gpusort::par_gpu.with(algorithm), compare...);
}

inline key_sorter thrust_sorter() {
  return {"thrust", [](std::uint32_t* data, std::size_t n) {
            thrust::sort(thrust::cuda::par, data, data + n);
          }};
}

}  // namespace bench

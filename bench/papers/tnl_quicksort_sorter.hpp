// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/order.hpp>
#include <memory>

#include "key_run.hpp"

namespace bench {

/// Sorts by a version of paper 004's quicksort.
template <class Sort>
key_sorter tnl_sorter(const char* name) {
  const auto scratch = std::make_shared<buffer>();
  return {name, [=](std::uint32_t* data, std::size_t n) {
            Sort::run(nullptr, data, n, gpusort::less{}, scratch->reserve(Sort::scratch_bytes(n)));
            check(cudaStreamSynchronize(nullptr), "the paper's quicksort");
          }};
}

}  // namespace bench

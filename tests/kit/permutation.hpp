// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <utility>

#include "column.hpp"
#include "random.hpp"

namespace kit {

/// Returns a permutation of n numbers, as shuffled as random numbers are.
template <class Index>
column<Index> permutation(std::size_t n) {
  column<Index> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<Index>(i);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random_at(seed(), i) % i]);
  return order;
}

}  // namespace kit

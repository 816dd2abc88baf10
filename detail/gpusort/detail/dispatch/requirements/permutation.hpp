// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/requirements/order.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class IndexIterator>
constexpr auto require_indices() {
  require_random_access<IndexIterator>();
  using index = value_t<IndexIterator>;
  static_assert(std::is_integral_v<index> && (sizeof(index) == 4 || sizeof(index) == 8),
                "gpusort: the indices of a permutation are integers of 4 or 8 bytes");
}

[[noreturn]] inline void refuse_indices() {
  refuse("the indices are no permutation; each from 0 to n - 1 has to be there once");
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

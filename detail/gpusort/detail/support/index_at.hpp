// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class First, class Last>
inline constexpr bool are_index_bounds_v =
    std::is_integral_v<First>&& std::is_integral_v<Last> && !std::is_same_v<First, bool> &&
    !std::is_same_v<Last, bool>;

/// Stands for what the functions of an index sort are called with: the type that both bounds are
/// converted to in arithmetic.
template <class First, class Last>
using index_t = decltype(First{} + Last{});

/// Returns first + offset, where the offset may be beyond what Index holds and the sum is not.
template <class Index, class Offset>
GPUSORT_HOST_DEVICE constexpr Index index_at(Index first, Offset offset) {
  using bits = std::make_unsigned_t<Index>;
  return static_cast<Index>(static_cast<bits>(first) + static_cast<bits>(offset));
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

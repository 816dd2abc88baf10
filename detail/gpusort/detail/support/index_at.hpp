// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// first + place, where the place may be beyond what Index holds and the sum is not.
template <class Index, class Place>
GPUSORT_HOST_DEVICE constexpr Index index_at(Index first, Place place) {
  using bits = std::make_unsigned_t<Index>;
  return static_cast<Index>(static_cast<bits>(first) + static_cast<bits>(place));
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

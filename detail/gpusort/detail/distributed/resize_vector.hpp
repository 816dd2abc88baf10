// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/config.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Gives a vector n elements, of which those that it has not had are overwritten before anybody
/// reads them.
template <class Vector>
void resize_vector(Vector& vector, std::size_t n) {
  using T = typename Vector::value_type;
  if constexpr (std::is_default_constructible_v<T>) {
    vector.resize(n);
  } else {
    static_assert(std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T>,
                  "gpusort: sort_balanced makes elements of a vector before it fills them; give "
                  "their type a default constructor");
    while (vector.size() > n) vector.pop_back();
    const host::slot<T> zero{};
    while (vector.size() < n) vector.push_back(*zero.get());
  }
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/order_by.hpp>
#include <type_traits>

#if GPUSORT_CUDA
#include <cuda/std/functional>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The projection of a call without one: elements themselves are compared.
struct identity {};

template <class Projection>
inline constexpr bool is_identity_v = std::is_same_v<Projection, identity>;
#if __cplusplus >= 202002L && defined(__cpp_lib_ranges)
template <>
inline constexpr bool is_identity_v<std::identity> = true;
#endif
#if GPUSORT_CUDA
template <>
inline constexpr bool is_identity_v<cuda::std::identity> = true;
#endif

/// The comparator of elements that dispatch gets for a call's comparator and projection.
template <class T, class Compare, class Projection>
auto canonical(const Compare& compare, const Projection& projection) {
  if constexpr (is_identity_v<Projection>) {
    return canonical<T>(compare);
  } else if constexpr (!is_for_kernels_v<Projection> ||
                       !std::is_invocable_v<const Projection&, const T&>) {
    return refused_order{};
  } else {
    using order = decltype(canonical<projected_t<Projection, T>>(compare));
    return projected<order, Projection>{canonical<projected_t<Projection, T>>(compare), projection};
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

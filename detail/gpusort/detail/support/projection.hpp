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

/// Refuses what an order reads of records of type T at an address that its type does not allow.
template <class T, class Access>
void require_aligned_members(const Access&) {}
template <class T, class Record, class Field>
void require_aligned_members(Field Record::*const& member) {
  if constexpr (!std::is_function_v<Field>) require_aligned_member<T>(member);
}
template <class T, class Record, class Field>
void require_aligned_members(const member_access<Record, Field>& access) {
  require_aligned_member<T>(access.pointer);
}
template <class T, class Record, auto Member>
void require_aligned_members(const fixed_member_access<Record, Member>&) {
  require_aligned_member<T>(Member);
}
template <class T, class First, class Rest>
void require_aligned_members(const nested_access<First, Rest>& access) {
  require_aligned_members<T>(access.first);
  require_aligned_members<projected_t<First, T>>(access.rest);
}
template <class T, class... Fields>
void require_aligned_members(const field_list<Fields...>& fields) {
  require_aligned_members<T>(fields.first.access);
  require_aligned_members<T>(fields.first.valid);
  if constexpr (sizeof...(Fields) > 1) require_aligned_members<T>(fields.rest);
}
template <class T, class... Fields>
void require_aligned_members(const ordered_by<Fields...>& order) {
  require_aligned_members<T>(order.fields);
}

/// Returns the comparator of elements that dispatch gets for a call's comparator and projection.
template <class T, class Compare, class Projection>
auto canonical(const Compare& compare, const Projection& projection) {
  require_aligned_members<T>(projection);
  if constexpr (is_identity_v<Projection>) {
    require_aligned_members<T>(compare);
    return canonical<T>(compare);
  } else if constexpr (!is_for_kernels_v<Projection> ||
                       !std::is_invocable_v<const Projection&, const T&>) {
    return refused_order{};
  } else {
    using part = projected_t<Projection, T>;
    using order = decltype(canonical<part>(compare));
    require_aligned_members<part>(compare);
    return projected<order, Projection>{canonical<part>(compare), projection};
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

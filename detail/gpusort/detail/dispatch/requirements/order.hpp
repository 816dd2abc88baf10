// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/requirements/range.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/projection.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class T, class = void>
struct has_less : std::false_type {};
template <class T>
struct has_less<T, std::enable_if_t<!is_compound_v<T>,
                                    std::void_t<decltype(static_cast<bool>(
                                        std::declval<const T&>() < std::declval<const T&>()))>>>
    : std::true_type {};
// The argument of `all`, which has one parameter.
template <class T>
struct is_ordered : has_less<T> {};
template <class T>
struct has_less<T, std::enable_if_t<is_compound_v<T>>>
    : std::bool_constant<compound<T>::template all<is_ordered>> {};

/// Whether compare(a, b) answers what `if` takes: bool, or what converts to it, explicitly too.
template <class Compare, class A, class B, class = void>
struct answers : std::false_type {};
template <class Compare, class A, class B>
struct answers<Compare, A, B, std::enable_if_t<std::is_invocable_v<Compare&, A, B>>>
    : std::is_constructible<bool, std::invoke_result_t<Compare&, A, B>> {};

/// Checks the fields of an order_by, which have requirements of their own.
template <class T, class... Fields>
constexpr auto require_fields(const ordered_by<Fields...>*) {
  static_cast<void>(fields_of<T, Fields...>::are_keys);
}
template <class T>
constexpr auto require_fields(const void*) {}

template <class T, class Compare>
constexpr auto require_comparator() {
  constexpr bool is_field = is_order_field<Compare>::value;
  constexpr bool is_member = std::is_member_pointer_v<Compare>;
  static_assert(!is_field,
                "gpusort: asc and desc name a field of an order; write gpusort::order_by(...) "
                "around them");
  static_assert(!is_member,
                "gpusort: a pointer to a member is no comparator; write {} before it, as it is a "
                "projection, or gpusort::order_by(...) around it");
  if constexpr (!is_field && !is_member) {
    require_function<Compare>();
    require_type_of_device<T>();
    static_assert(answers<Compare, const T&, const T&>::value,
                  "gpusort: the comparator must be callable as compare(a, b) with two const "
                  "references to elements, and its result convertible to bool");
    static_assert(!is_less_or_greater_v<Compare> || is_arithmetic_key_v<T> || has_less<T>::value,
                  "gpusort: the elements have no operator<; give a comparator, order_by, or a "
                  "projection onto something that has an order");
    require_fields<T>(static_cast<const Compare*>(nullptr));
    require_device_call<decltype(canonical<T>(std::declval<const Compare&>())), const T&,
                        const T&>();
  }
}

template <class T, class Projection>
constexpr auto require_projection() {
  require_function<Projection>();
#if GPUSORT_CUDA && defined(__CUDACC_EXTENDED_LAMBDA__)
  static_assert(!__nv_is_extended_device_lambda_closure_type(Projection) ||
                    __nv_is_extended_device_lambda_with_preserved_return_type(Projection),
                "gpusort: what a __device__ lambda returns is unknown on the host; give the "
                "projection a trailing return type, or make it __host__ __device__");
#endif
  static_assert(!is_for_kernels_v<Projection> || std::is_invocable_v<const Projection&, const T&>,
                "gpusort: the projection must be a pointer to a member or callable with a const "
                "reference to an element");
}

/// Whether a call has its projection where its comparator belongs, and the other way round.
template <class T, class Compare, class Projection, class = void>
struct are_swapped : std::false_type {};
template <class T, class Compare, class Projection>
struct are_swapped<T, Compare, Projection,
                   std::enable_if_t<std::is_invocable_v<const Compare&, const T&>>>
    : std::bool_constant<!answers<Compare, const T&, const T&>::value &&
                         answers<Projection, std::invoke_result_t<const Compare&, const T&>,
                                 std::invoke_result_t<const Compare&, const T&>>::value> {};

/// Checks an order of elements of type T, or of what a projection makes of them.
template <class T, class Compare, class Projection>
constexpr auto require_order() {
  if constexpr (tells_nulls_by_index_v<Compare>) {
    static_assert(!tells_nulls_by_index_v<Compare>,
                  "gpusort: a bitmap, or flags, tell nulls by the indices of the elements, which "
                  "change as they are moved; call argsort and apply_permutation, or sort_table");
  } else if constexpr (is_identity_v<Projection>) {
    require_comparator<T, Compare>();
  } else if constexpr (are_swapped<T, Compare, Projection>::value) {
    static_assert(!are_swapped<T, Compare, Projection>::value,
                  "gpusort: the comparator comes before the projection; swap the two arguments");
  } else {
    require_projection<T, Projection>();
    if constexpr (is_for_kernels_v<Projection>) {
      require_comparator<projected_t<Projection, T>, Compare>();
    }
  }
}

/// Checks an order of elements that tells nulls by their indices.
template <class T, class Projection, class... Fields>
constexpr auto require_order_by_index(const ordered_by<Fields...>&) {
  static_assert(is_identity_v<Projection>,
                "gpusort: where nulls are told by the elements' indices, no projection follows the "
                "order; let its fields be functions of an element");
  require_fields<T>(static_cast<const ordered_by<Fields...>*>(nullptr));
}

/// Returns the order of a call that moves the elements of its ranges.
template <class Iterator, class Compare, class Projection>
auto order_of_sorted(const Compare& compare, const Projection& projection) {
  require_writable<Iterator>();
  require_order<value_t<Iterator>, Compare, Projection>();
  return canonical<value_t<Iterator>>(compare, projection);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

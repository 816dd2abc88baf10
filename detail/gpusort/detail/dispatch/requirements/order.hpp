// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/projection.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Iterator, class = void>
struct is_random_access : std::false_type {};
template <class Iterator>
struct is_random_access<Iterator, std::enable_if_t<is_iterator_v<Iterator>>>
    : std::bool_constant<
          std::is_base_of_v<std::random_access_iterator_tag,
                            typename std::iterator_traits<Iterator>::iterator_category> ||
          std::is_convertible_v<typename std::iterator_traits<Iterator>::iterator_category,
                                std::random_access_iterator_tag>> {};

/// Iterators whose reference is a proxy, such as std::views::zip's, say it by their concept only.
template <class Iterator>
inline constexpr bool is_random_access_v =
#if __cplusplus >= 202002L && defined(__cpp_lib_concepts)
    std::random_access_iterator<Iterator> ||
#endif
    is_random_access<Iterator>::value;

template <class Iterator>
constexpr void require_random_access() {
  static_assert(is_random_access_v<Iterator>,
                "gpusort: the range must have random access iterators");
}

/// A function that the device is to call.
template <class F>
constexpr void require_device_function() {
  static_assert(!is_host_lambda<F>(),
                "gpusort: a lambda of the host cannot be called on the device; write __device__ or "
                "__host__ __device__ after its [], and compile with --extended-lambda");
}

template <class T>
constexpr void require_element() {
  require_type_of_device<T>();
  static_assert(is_trivially_relocatable_v<T>,
                "gpusort: the element type must be trivially relocatable; specialise "
                "gpusort::is_trivially_relocatable for a type of yours that is, or sort indices");
  static_assert(sizeof(T) <= 4096, "gpusort: elements of more than 4 KB are not supported");
}

template <class Iterator>
constexpr void require_sortable() {
  require_random_access<Iterator>();
  require_element<value_t<Iterator>>();
}

template <class Iterator>
constexpr void require_writable() {
  require_sortable<Iterator>();
  static_assert(
      std::is_assignable_v<decltype(*std::declval<Iterator&>()), const value_t<Iterator>&>,
      "gpusort: the range cannot be written to; sorting needs iterators that are not const");
}

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

template <class T, class Compare>
constexpr void require_comparator() {
  require_device_function<Compare>();
  require_type_of_device<T>();
  static_assert(answers<Compare, const T&, const T&>::value,
                "gpusort: the comparator must be callable as compare(a, b) with two const "
                "references to elements, and its result convertible to bool");
  static_assert(!is_less_or_greater_v<Compare> || is_arithmetic_key_v<T> || has_less<T>::value,
                "gpusort: the elements have no operator<; give a comparator, order_by, or a "
                "projection onto something that has an order");
}

template <class T, class Projection>
constexpr void require_projection() {
  require_device_function<Projection>();
#if GPUSORT_CUDA && defined(__CUDACC_EXTENDED_LAMBDA__)
  static_assert(!__nv_is_extended_device_lambda_closure_type(Projection) ||
                    __nv_is_extended_device_lambda_with_preserved_return_type(Projection),
                "gpusort: what a __device__ lambda returns is unknown on the host; give the "
                "projection a trailing return type, or make it __host__ __device__");
#endif
  static_assert(is_host_lambda<Projection>() || std::is_invocable_v<const Projection&, const T&>,
                "gpusort: the projection must be a pointer to a member or callable with a const "
                "reference to an element");
}

/// Of elements of type T, or of what a projection makes of them.
template <class T, class Compare, class Projection>
constexpr void require_order() {
  if constexpr (tells_nulls_by_index_v<Compare>) {
    static_assert(!tells_nulls_by_index_v<Compare>,
                  "gpusort: a bitmap, or flags, tell nulls by the indices of the elements, which "
                  "change as they are moved; call argsort and apply_permutation, or sort_table");
  } else if constexpr (is_identity_v<Projection>) {
    require_comparator<T, Compare>();
  } else {
    require_projection<T, Projection>();
    if constexpr (!is_host_lambda<Projection>()) {
      require_comparator<projected_t<Projection, T>, Compare>();
    }
  }
}

/// An order of elements that tells nulls by their indices.
template <class T, class Projection, class... Fields>
constexpr void require_order_by_index(const ordered_by<Fields...>&) {
  static_assert(is_identity_v<Projection>,
                "gpusort: where nulls are told by the elements' indices, no projection follows the "
                "order; let its fields be functions of an element");
  static_cast<void>(fields_of<T, Fields...>::are_keys);
}

/// The order of a call that moves the elements of its ranges.
template <class Iterator, class Compare, class Projection>
auto order_of_sorted(const Compare& compare, const Projection& projection) {
  require_writable<Iterator>();
  require_order<value_t<Iterator>, Compare, Projection>();
  return canonical<value_t<Iterator>>(compare, projection);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

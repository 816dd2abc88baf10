// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/compound.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if GPUSORT_CUDA
#include <cuda/std/tuple>
#include <cuda/std/utility>
#endif

// What the ranges of a call must be. The functions have a deduced return type, so that a compiler
// instantiates them where they are called, and reports the first fault of a call first.

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

/// The type of `*iterator`.
template <class Iterator>
using reference_t = decltype(*std::declval<Iterator&>());

template <class Iterator, class = void>
struct is_volatile_range : std::false_type {};
template <class Iterator>
struct is_volatile_range<Iterator, std::enable_if_t<is_iterator_v<Iterator>>>
    : std::is_volatile<std::remove_reference_t<reference_t<Iterator>>> {};

/// Iterators whose reference is a proxy, such as std::views::zip's, say it by their concept only.
/// Those of volatile elements do not count.
template <class Iterator>
inline constexpr bool is_random_access_v =
#if __cplusplus >= 202002L && defined(__cpp_lib_concepts)
    (std::random_access_iterator<Iterator> || is_random_access<Iterator>::value) &&
#else
    is_random_access<Iterator>::value &&
#endif
    !is_volatile_range<Iterator>::value;

template <class Iterator>
constexpr auto require_random_access() {
  constexpr bool is_volatile = is_volatile_range<Iterator>::value;
  static_assert(!is_volatile,
                "gpusort: volatile elements are not supported; cast volatile away, if no other "
                "thread uses the range during the call");
  static_assert(is_volatile || is_random_access_v<Iterator>,
                "gpusort: the range must have random access iterators");
}

template <class T>
constexpr auto require_element() {
  require_type_of_device<T>();
  static_assert(is_trivially_relocatable_v<T>,
                "gpusort: elements must be trivially relocatable: copied as bytes and then "
                "forgotten, which std::string, for one, does not survive; sort indices of them, or "
                "specialise gpusort::is_trivially_relocatable for a type that does survive it");
  static_assert(sizeof(T) <= 4096, "gpusort: elements of more than 4 KB are not supported");
}

template <class Iterator>
constexpr auto require_sortable() {
  require_random_access<Iterator>();
  require_element<std::remove_volatile_t<value_t<Iterator>>>();
}

template <class... Ts>
struct type_list {};

/// Returns the types of a tuple's elements; for any other type an empty list.
template <class... Ts>
type_list<Ts...> tuple_elements(const std::tuple<Ts...>*);
template <class A, class B>
type_list<A, B> tuple_elements(const std::pair<A, B>*);
#if GPUSORT_CUDA
template <class... Ts>
type_list<Ts...> tuple_elements(const cuda::std::tuple<Ts...>*);
template <class A, class B>
type_list<A, B> tuple_elements(const cuda::std::pair<A, B>*);
#endif
type_list<> tuple_elements(const volatile void*);

template <class T>
using tuple_elements_t =
    decltype(tuple_elements(static_cast<std::remove_reference_t<T>*>(nullptr)));

/// Whether a reference, or a proxy such as Thrust's device_reference<const T>, is to a constant.
template <class Reference>
struct refers_to_const : std::is_const<std::remove_reference_t<Reference>> {};
template <template <class...> class Proxy, class T, class... Rest>
struct refers_to_const<Proxy<const T, Rest...>> : std::true_type {};

template <class... References>
constexpr bool any_refers_to_const(type_list<References...>) {
  return (refers_to_const<References>::value || ...);
}

template <class Reference, class T>
constexpr bool writes_through();

template <class... References, class... Ts>
constexpr bool each_writes_through(type_list<References...>, type_list<Ts...>) {
  if constexpr (sizeof...(References) == sizeof...(Ts)) {
    return (writes_through<References, Ts>() && ...);
  } else {
    return (std::is_lvalue_reference_v<References> && ...);
  }
}

/// Whether an assignment of a T to what `*iterator` gives changes the range. Where that is an
/// object of the element type, the object alone is changed; other objects are taken for proxies.
template <class Reference, class T>
constexpr bool writes_through() {
  using elements = tuple_elements_t<Reference>;
  if constexpr (std::is_reference_v<Reference>) {
    return std::is_assignable_v<Reference, const T&>;
  } else if constexpr (!std::is_same_v<elements, type_list<>>) {
    return each_writes_through(elements(), tuple_elements_t<T>());
  } else {
    return !std::is_same_v<std::remove_cv_t<Reference>, T> &&
           std::is_assignable_v<Reference, const T&>;
  }
}

/// Checks a range that elements of type T are written to.
template <class Iterator, class T>
constexpr auto require_written() {
  using reference = reference_t<Iterator>;
  constexpr bool are_bits = std::is_same_v<reference, std::vector<bool>::reference>;
  constexpr bool are_constants =
      refers_to_const<reference>::value || any_refers_to_const(tuple_elements_t<reference>());
  constexpr bool are_elements = std::is_lvalue_reference_v<reference>;
  static_assert(!are_bits,
                "gpusort: a std::vector<bool> cannot be written to, as its elements share bytes; "
                "copy it to a std::vector<char>");
  static_assert(!are_constants,
                "gpusort: the range cannot be written to, as its elements are constants; pass "
                "iterators that are not const");
  static_assert(are_constants || !are_elements || !is_trivially_relocatable_v<T> ||
                    writes_through<reference, T>(),
                "gpusort: the elements cannot be assigned, as those with a const member cannot; "
                "sort indices of them, or remove the const");
  static_assert(are_bits || are_constants || are_elements || writes_through<reference, T>(),
                "gpusort: the range cannot be written to, as its iterators make objects in place "
                "of references to elements; sort_copy writes to another range");
}

template <class Iterator>
constexpr auto require_writable() {
  require_sortable<Iterator>();
  require_written<Iterator, value_t<Iterator>>();
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

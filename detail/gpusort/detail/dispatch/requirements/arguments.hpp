// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/run_table.hpp>
#include <gpusort/detail/support/compound.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/projection.hpp>
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

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Requirements of a call's ranges. The functions have a deduced return type, so that a compiler
// instantiates them where they are called, and reports the first fault of a call first.

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

template <class T, class = void>
struct has_less : std::false_type {};
template <class T>
struct has_less<T, std::enable_if_t<!is_compound_v<T>,
                                    std::void_t<decltype(static_cast<bool>(
                                        std::declval<const T&>() < std::declval<const T&>()))>>>
    : std::true_type {};
template <class T>
struct has_less<T, std::enable_if_t<is_compound_v<T>>>
    : std::bool_constant<compound<T>::template all<has_less>> {};

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

/// Checks the types of a column of a merge, from ranges of In to a range of Out.
template <class Out, class... In>
constexpr auto require_merge_column() {
  using T = merged_t<Out, std::tuple_element_t<0, std::tuple<In...>>>;
  require_random_access<Out>();
  (require_random_access<In>(), ...);
  require_element<T>();
  static_assert((std::is_convertible_v<value_t<In>, T> && ...),
                "gpusort: the elements of an input do not convert to those of the output");
  require_written<Out, T>();
}

template <class RunIterator>
constexpr auto require_runs() {
  require_random_access<RunIterator>();
  static_assert(is_run<value_t<RunIterator>>::value,
                "gpusort: a run is a pair of iterators, with members first and second of one type; "
                "or give the data and a range of offsets");
}

template <class OffsetIterator>
constexpr auto require_offsets() {
  require_random_access<OffsetIterator>();
  static_assert(std::is_integral_v<value_t<OffsetIterator>>,
                "gpusort: the offsets of the runs must be integers");
}

template <class PositionIterator>
constexpr auto require_positions() {
  require_random_access<PositionIterator>();
  static_assert(std::is_integral_v<value_t<PositionIterator>>,
                "gpusort: positions are integers, and so must be what they are written to");
  require_written<PositionIterator, value_t<PositionIterator>>();
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

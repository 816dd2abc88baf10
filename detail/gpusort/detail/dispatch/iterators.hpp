// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/iterator/iterator_facade.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <cuda/std/tuple>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/contiguous.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/reference_columns.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <memory>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Iterator>
inline constexpr bool is_host_typed_v =
    std::is_convertible_v<typename thrust::iterator_system<Iterator>::type,
                          thrust::host_system_tag>;

/// True, as the former, also for iterators that need no memory, such as counting ones; but not
/// where Thrust's device is its host.
template <class Iterator>
inline constexpr bool is_device_typed_v =
    std::is_convertible_v<typename thrust::iterator_system<Iterator>::type,
                          thrust::device_system_tag> &&
    (!is_host_typed_v<Iterator> ||
     std::is_same_v<typename thrust::iterator_system<Iterator>::type, thrust::any_system_tag>);

template <class Iterator>
struct is_reverse : std::false_type {};
template <class Base>
struct is_reverse<std::reverse_iterator<Base>> : std::bool_constant<is_contiguous_v<Base>> {};
template <class Base>
struct is_reverse<thrust::reverse_iterator<Base>> : std::bool_constant<is_contiguous_v<Base>> {};

/// Whether an iterator is built on another one; a counting iterator's base() is a number.
template <class Iterator, class = void>
struct has_base : std::false_type {};
template <class Iterator>
struct has_base<Iterator, std::void_t<decltype(std::declval<const Iterator&>().base())>>
    : is_iterator<std::decay_t<decltype(std::declval<const Iterator&>().base())>> {};

template <class Iterator>
inline constexpr bool yields_references_v =
    is_tuple_of_references_v<decltype(*std::declval<const Iterator&>())>;

template <class... Ts>
std::true_type test_thrust_iterator(const thrust::iterator_facade<Ts...>*);
std::false_type test_thrust_iterator(...);

/// Whether an iterator was made by Thrust's means, which are callable on the device.
template <class Iterator>
inline constexpr bool is_thrust_iterator_v =
    decltype(test_thrust_iterator(static_cast<const Iterator*>(nullptr)))::value;

/// False for iterators that only the host is known to follow, such as std::deque's, and a
/// program's own that refer to elements.
template <class Iterator, class = void>
struct may_be_on_device
    : std::bool_constant<is_contiguous_v<Iterator> || is_device_typed_v<Iterator> ||
                         yields_references_v<Iterator>> {};
template <class Iterator>
struct may_be_on_device<Iterator,
                        std::enable_if_t<!is_contiguous_v<Iterator> && has_base<Iterator>::value>>
    : std::bool_constant<(
          is_thrust_iterator_v<Iterator> || is_device_typed_v<Iterator> ||
          !host::yields_element_v<
              Iterator>)&&may_be_on_device<std::decay_t<decltype(std::declval<const Iterator&>()
                                                                     .base())>>::value> {};
template <class First, class... Rest>
struct may_be_on_device<thrust::zip_iterator<thrust::tuple<First, Rest...>>, void>
    : may_be_on_device<First> {};

/// Whether only the host is known to follow an iterator, which shows it where the elements are.
template <class Iterator>
inline constexpr bool is_scattered_v =
    !may_be_on_device<Iterator>::value && host::yields_element_v<Iterator>;

template <class Iterator>
pointer_kind kind_of_range(const Iterator& first);

template <class... Columns>
pointer_kind kind_of_range(const thrust::zip_iterator<thrust::tuple<Columns...>>& first);

template <class... Ts>
pointer_kind kind_of_references(const reference_columns<Ts...>& first);

/// Returns where the elements of a range are: as the driver says of the pointer that its iterator
/// is, wraps or is built on, or of the address of its first element; an iterator that hides both
/// says it by its type. The range is not empty.
template <class Iterator>
pointer_kind kind_of_range(const Iterator& first) {
  if constexpr (is_contiguous_v<Iterator>) {
    return classify_pointer(address_of(first));
  } else if constexpr (is_reverse<Iterator>::value) {
    return kind_of_range(first.base() - 1);
  } else if constexpr (is_scattered_v<Iterator>) {
    return classify_pointer(std::addressof(*first));
  } else if constexpr (has_base<Iterator>::value) {
    return kind_of_range(first.base());
  } else if constexpr (yields_references_v<Iterator>) {
    return kind_of_references(reference_columns(*first));
  } else if constexpr (is_device_typed_v<Iterator>) {
    return {memory_kind::device, -1};
  } else {
    return {};
  }
}

template <class... Columns>
pointer_kind kind_of_columns(const cuda::std::tuple<Columns...>& columns) {
  pointer_kind all{memory_kind::device, -1};
  bool is_known = false;
  const auto add = [&](const auto& column) {
    using iterator = std::decay_t<decltype(column)>;
    if constexpr (!(is_device_typed_v<iterator> && is_host_typed_v<iterator>)) {
      const pointer_kind kind = kind_of_range(column);
      if (is_known && kind.on_host() != all.on_host()) {
        refuse(
            "some columns of the zip are in host memory and some are not; copy them to one side");
      }
      reject_other_device(all, kind);
      if (!is_known || all.device < 0) all = kind;
      is_known = true;
    }
  };
  cuda::std::apply([&](const Columns&... column) { (add(column), ...); }, columns);
  return all;
}

/// Returns where all columns are that are in memory at all. Throws std::invalid_argument where they
/// are on several devices, or some of them in host memory and some not.
template <class... Columns>
pointer_kind kind_of_range(const thrust::zip_iterator<thrust::tuple<Columns...>>& first) {
  return kind_of_columns(first.get_iterator_tuple());
}

template <class... Ts>
pointer_kind kind_of_references(const reference_columns<Ts...>& first) {
  return kind_of_columns(first.columns());
}

/// An array walked backwards, on the device, where std::reverse_iterator cannot go.
template <class T>
struct backward_array {
  T* last;
  GPUSORT_HOST_DEVICE T& operator[](std::uint64_t i) const { return *(last - i); }
};

/// Returns a range that is not empty as kernels index it.
template <class Iterator>
auto on_device(const Iterator& first) {
  if constexpr (is_contiguous_v<Iterator>) {
    return address_of(first);
  } else if constexpr (is_reverse<Iterator>::value) {
    using T = std::remove_pointer_t<decltype(address_of(first.base()))>;
    return backward_array<T>{address_of(first.base() - 1)};
  } else if constexpr (yields_references_v<Iterator>) {
    return reference_columns(*first);
  } else {
    return first;
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

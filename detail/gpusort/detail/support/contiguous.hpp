// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#if GPUSORT_CUDA
#include <thrust/type_traits/is_contiguous_iterator.h>
#include <thrust/type_traits/unwrap_contiguous_iterator.h>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether a C++ compiler knows that the elements of a range follow each other in memory.
template <class Iterator>
constexpr bool is_host_contiguous() {
  if constexpr (std::is_pointer_v<Iterator>) {
    return true;
  } else {
#if __cplusplus >= 202002L && defined(__cpp_lib_concepts)
    if (std::contiguous_iterator<Iterator>) return true;
#endif
    using T = value_t<Iterator>;
    if constexpr (std::is_object_v<T> && !std::is_volatile_v<T> && !std::is_same_v<T, bool>) {
      return std::is_same_v<Iterator, typename std::vector<T>::iterator> ||
             std::is_same_v<Iterator, typename std::vector<T>::const_iterator>;
    } else {
      return false;
    }
  }
}

/// Whether elements follow each other in memory, of the host or, for Thrust's iterators, the
/// device.
template <class Iterator>
inline constexpr bool is_contiguous_v =
#if GPUSORT_CUDA
    thrust::is_contiguous_iterator_v<Iterator> ||
#endif
    is_host_contiguous<Iterator>();

/// Returns the address of the first element of a contiguous range, which may be empty.
template <class Iterator>
auto* address_of(Iterator first) {
  if constexpr (std::is_pointer_v<Iterator>) {
    return first;
#if GPUSORT_CUDA
  } else if constexpr (thrust::is_contiguous_iterator_v<Iterator>) {
    return thrust::unwrap_contiguous_iterator(first);
#endif
  } else {
    return first.operator->();
  }
}

template <class T>
constexpr bool is_contiguous_iterator() {
  if constexpr (is_iterator_v<T>) {
    return is_contiguous_v<T>;
  } else {
    return false;
  }
}

/// Returns address_of, for calls that refuse other iterators.
template <class Iterator>
auto* contiguous_address(Iterator first) {
  constexpr bool is_fit = is_contiguous_iterator<Iterator>();
  static_assert(is_fit,
                "gpusort: calls on tables take pointers, or iterators of contiguous ranges such as "
                "std::vector's and Thrust's; copy the elements to such a range");
  if constexpr (is_fit) {
    return address_of(first);
  } else {
    return static_cast<std::uint32_t*>(nullptr);
  }
}

template <class Range, class = void>
struct has_data : std::false_type {};
template <class Range>
struct has_data<Range, std::void_t<decltype(std::data(std::declval<Range&>()))>> : std::true_type {
};

/// Returns the contiguous_address of an iterator, or of a range that outlives the expression.
template <class Elements>
auto* contiguous_address_of(Elements&& elements) {
  using object = std::remove_reference_t<Elements>;
  static_assert(std::is_lvalue_reference_v<Elements> || std::is_trivially_destructible_v<object>,
                "gpusort: a column refers to its elements; give the vector a name, so that it "
                "outlives the statement");
  if constexpr (!is_iterator_v<std::decay_t<Elements>> && has_data<object>::value) {
    return address_of(std::data(elements));
  } else {
    return contiguous_address<std::decay_t<Elements>>(elements);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/merge.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

// Sorted runs reached through iterators of any kind, read as elements of one type T: at(i, index)
// is the element with that index in run i, the element itself where it is a T, otherwise its value
// as a T.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// A sorted run.
template <class It>
struct run {
  It first;
  std::size_t count;
};

template <class T, class It>
inline constexpr bool yields_v = yields_element_v<It>&& std::is_same_v<T, value_t<It>>;

template <class T, class It>
decltype(auto) element_as(It first, std::size_t i) {
  if constexpr (yields_v<T, It>) {
    return element(first, i);
  } else {
    return static_cast<T>(element(first, i));
  }
}

template <class T, class It>
struct elements_of_runs {
  using value_type = T;
  static constexpr bool is_contiguous = std::is_pointer_v<It> && yields_v<T, It>;

  const run<It>* runs;

  decltype(auto) at(std::size_t i, std::size_t index) const {
    return element_as<T>(runs[i].first, index);
  }
};

/// Two runs, or their values, whose iterators may be of different types.
template <class T, class FirstIt, class SecondIt>
struct elements_of_two {
  using value_type = T;
  static constexpr bool are_elements = yields_v<T, FirstIt> && yields_v<T, SecondIt>;
  static constexpr bool is_contiguous =
      are_elements && std::is_pointer_v<FirstIt> && std::is_pointer_v<SecondIt>;

  FirstIt first;
  SecondIt second;

  std::conditional_t<are_elements, const T&, T> at(std::size_t i, std::size_t index) const {
    if constexpr (is_contiguous) {
      return select<T>(mask_of(i == 0), first, second)[index];
    } else {
      if (i == 0) return element_as<T>(first, index);
      return element_as<T>(second, index);
    }
  }
};

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

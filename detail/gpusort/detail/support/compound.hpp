// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <gpusort/detail/support/traits.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class A, class B>
GPUSORT_HOST_DEVICE bool less_than(const A& a, const B& b);

// Their own operators are host functions, or order floats by their own `<`; elements are read
// without calling a host function.

/// Does what is asked of pairs, tuples and arrays, which are ordered by their elements from the
/// first on: `less(a, b)`, `for_each(x, f)` in that order, `at<Nth>(x)`, whether `all` elements
/// have a trait, the `sum` of its `bits`, and the `total` of its `packed`, from the first on.
template <class T>
struct compound {
  static constexpr bool is_compound = false;
};

template <class T>
inline constexpr bool is_compound_v = compound<T>::is_compound;

template <std::size_t Size, std::size_t Nth = 0, class T, class Get>
GPUSORT_HOST_DEVICE bool less_from(const T& a, const T& b, Get get) {
  if constexpr (Nth == Size) {
    return false;
  } else if constexpr (Nth + 1 == Size) {
    return less_than(get.template at<Nth>(a), get.template at<Nth>(b));
  } else {
    if (less_than(get.template at<Nth>(a), get.template at<Nth>(b))) return true;
    if (less_than(get.template at<Nth>(b), get.template at<Nth>(a))) return false;
    return less_from<Size, Nth + 1>(a, b, get);
  }
}

template <std::size_t Size, std::size_t Nth = 0, class T, class Get, class F>
GPUSORT_HOST_DEVICE void for_each_from(const T& x, Get get, F& f) {
  if constexpr (Nth < Size) {
    f(get.template at<Nth>(x));
    for_each_from<Size, Nth + 1>(x, get, f);
  }
}

/// Elements of types Ts, which Get reads.
template <class T, class Get, class... Ts>
struct compound_of {
  static constexpr bool is_compound = true;
  template <template <class...> class Trait>
  static constexpr bool all = (Trait<std::remove_cv_t<std::remove_reference_t<Ts>>>::value && ...);
  template <template <class...> class Trait>
  static constexpr int sum = (0 + ... + Trait<std::remove_cv_t<std::remove_reference_t<Ts>>>::bits);
  template <template <class...> class Trait, class Total>
  static constexpr Total total(Total none) {
    return (none + ... + Trait<std::remove_cv_t<std::remove_reference_t<Ts>>>::packed);
  }

  static GPUSORT_HOST_DEVICE bool less(const T& a, const T& b) {
    return less_from<sizeof...(Ts)>(a, b, Get{});
  }
  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    for_each_from<sizeof...(Ts)>(x, Get{}, f);
  }
  template <std::size_t Nth>
  static GPUSORT_HOST_DEVICE const auto& at(const T& x) {
    return Get{}.template at<Nth>(x);
  }
};

template <class Element>
GPUSORT_HOST_DEVICE bool less_elements(const Element* a, const Element* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (less_than(a[i], b[i])) return true;
    if (less_than(b[i], a[i])) return false;
  }
  return false;
}

/// N elements in a row. The members of std::array are host functions.
template <class T, class Element, std::size_t N>
struct array_of {
  static_assert(N == 0 || sizeof(T) == N * sizeof(Element));
  static constexpr bool is_compound = true;
  template <template <class...> class Trait>
  static constexpr bool all = Trait<std::remove_cv_t<Element>>::value;
  template <template <class...> class Trait>
  static constexpr int sum = static_cast<int>(N) * Trait<std::remove_cv_t<Element>>::bits;
  template <template <class...> class Trait, class Total>
  static constexpr Total total(Total all) {
    for (std::size_t i = 0; i < N; ++i) all = all + Trait<std::remove_cv_t<Element>>::packed;
    return all;
  }

  static GPUSORT_HOST_DEVICE const Element* begin(const T& x) {
    return reinterpret_cast<const Element*>(&x);
  }
  static GPUSORT_HOST_DEVICE bool less(const T& a, const T& b) {
    return less_elements(begin(a), begin(b), N);
  }
  template <class F>
  static GPUSORT_HOST_DEVICE void for_each(const T& x, F f) {
    for (std::size_t i = 0; i < N; ++i) f(begin(x)[i]);
  }
  template <std::size_t Nth>
  static GPUSORT_HOST_DEVICE const Element& at(const T& x) {
    return begin(x)[Nth];
  }
};

struct pair_element {
  template <std::size_t Nth, class Pair>
  GPUSORT_HOST_DEVICE const auto& at(const Pair& pair) const {
    if constexpr (Nth == 0) {
      return pair.first;
    } else {
      return pair.second;
    }
  }
};

/// std::get is a host function. libstdc++ keeps each element in a base of its own, which is
/// private: only the cast in the style of C reaches it, and the compiler knows where it is.
struct tuple_element {
  template <std::size_t Nth, class... Ts>
  GPUSORT_HOST_DEVICE const auto& at(const std::tuple<Ts...>& tuple) const {
#if !GPUSORT_CUDA
    return std::get<Nth>(tuple);
#elif defined(__GLIBCXX__)
    using element = std::tuple_element_t<Nth, std::tuple<Ts...>>;
    using holder = std::_Head_base<Nth, element>;
    if constexpr (std::is_base_of_v<element, holder>) {
      return (const element&)(const holder&)tuple;
    } else {
      return ((const holder&)tuple)._M_head_impl;
    }
#else
    static_assert(
        sizeof...(Ts) == 0,
        "gpusort: the device can read std::tuple of libstdc++ only; take cuda::std::tuple");
#endif
  }
};

template <class A, class B>
struct compound<std::pair<A, B>> : compound_of<std::pair<A, B>, pair_element, A, B> {};

template <class... Ts>
struct compound<std::tuple<Ts...>> : compound_of<std::tuple<Ts...>, tuple_element, Ts...> {};

template <class T, std::size_t N>
struct compound<std::array<T, N>> : array_of<std::array<T, N>, T, N> {};

#if GPUSORT_CUDA

struct cuda_tuple_element {
  template <std::size_t Nth, class... Ts>
  GPUSORT_HOST_DEVICE const auto& at(const cuda::std::tuple<Ts...>& tuple) const {
    return cuda::std::get<Nth>(tuple);
  }
};

template <class A, class B>
struct compound<cuda::std::pair<A, B>> : compound_of<cuda::std::pair<A, B>, pair_element, A, B> {};

template <class... Ts>
struct compound<cuda::std::tuple<Ts...>>
    : compound_of<cuda::std::tuple<Ts...>, cuda_tuple_element, Ts...> {};

template <class T, std::size_t N>
struct compound<cuda::std::array<T, N>> : array_of<cuda::std::array<T, N>, T, N> {};

#endif

/// Whether some element of a pair, tuple or array is a bool, so that a copy of it is not made of
/// its elements as values.
template <class T, class = void>
struct has_no_bool : std::negation<std::is_same<T, bool>> {};
template <class T>
struct has_no_bool<T, std::enable_if_t<is_compound_v<T>>>
    : std::bool_constant<compound<T>::template all<has_no_bool>> {};
template <class T>
inline constexpr bool holds_bool_v = is_compound_v<T> && !has_no_bool<T>::value;

/// Whether the device has such a type: nvcc makes double of long double there, in arrays too.
template <class T, class = void>
struct is_type_of_device : std::negation<std::is_same<T, long double>> {};
template <class T>
struct is_type_of_device<T, std::enable_if_t<is_compound_v<T>>>
    : std::bool_constant<compound<T>::template all<is_type_of_device>> {};

template <class T>
constexpr void require_type_of_device() {
  static_assert(!GPUSORT_CUDA || is_type_of_device<T>::value,
                "gpusort: the device has no long double; sort double, or compile by a C++ "
                "compiler, for which calls run on the CPU");
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

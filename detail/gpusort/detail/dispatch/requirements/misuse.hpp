// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/dispatch/requirements/arguments.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <cuda_runtime_api.h>
#endif

// Calls that no function of a name takes: GPUSORT_DETAIL_REFUSE declares one that does, and says
// what is wrong with them in a sentence, in place of the compiler's list of all those functions.

namespace gpusort {
inline namespace GPUSORT_ABI {

template <class Mode, class Memory, class... Options>
class execution_policy;

namespace detail {

template <class T>
struct is_policy : std::false_type {};
template <class Mode, class Memory, class... Options>
struct is_policy<execution_policy<Mode, Memory, Options...>> : std::true_type {};

template <class T, class = void>
struct is_range : std::false_type {};
template <class T>
struct is_range<T, std::void_t<decltype(std::begin(std::declval<const T&>())),
                               decltype(std::end(std::declval<const T&>()))>> : std::true_type {};

/// Whether T is a CUDA stream, or converts to one.
template <class T>
inline constexpr bool is_stream_v =
#if GPUSORT_CUDA
    std::is_same_v<T, cudaStream_t> ||
    (std::is_class_v<T> && std::is_convertible_v<T, cudaStream_t>);
#else
    false;
#endif

enum class misuse {
  none,
  stream_for_policy,
  no_policy,
  no_iterators,
  two_iterator_types,
  volatile_elements,
  no_random_access,
  too_few_iterators
};

// Made from the first argument of a call without a policy of ours: by a conversion, so that any
// function of another library, or of a user, is a better match.

struct range_without_policy {
  template <class Range, std::enable_if_t<is_range<Range>::value && !is_iterator_v<Range>, int> = 0>
  range_without_policy(const Range&) {}
};

struct foreign_policy {
  template <class T,
            std::enable_if_t<std::is_class_v<T> && !is_policy<T>::value && !is_range<T>::value &&
                                 !is_iterator_v<T> && !is_stream_v<T>,
                             int> = 0>
  foreign_policy(const T&) {}
};

/// Returns how many arguments there are before the first one that is no iterator.
template <class... Arguments>
constexpr std::size_t count_leading_iterators() {
  std::size_t count = 0;
  bool are_all = true;
  ((are_all = are_all && is_iterator_v<Arguments>, count += are_all ? 1 : 0), ...);
  return count;
}

/// Returns what is wrong with the arguments First, Rest... of a call that takes a policy and then
/// at least `Iterators` iterators. Calls that argument-dependent lookup brings here and that are
/// not to gpusort pass.
template <std::size_t Iterators, class First, class... Rest>
constexpr misuse misuse_of() {
  if constexpr (is_policy<First>::value && sizeof...(Rest) > 0) {
    using range = std::tuple_element_t<0, std::tuple<Rest...>>;
    if constexpr (std::is_integral_v<range>) {
      return misuse::none;  // an index
    } else if constexpr (!is_iterator_v<range> || sizeof...(Rest) == 1) {
      return misuse::no_iterators;
    } else if constexpr (!is_random_access_v<range>) {
      return is_volatile_range<range>::value ? misuse::volatile_elements : misuse::no_random_access;
    } else {
      if (Iterators == 0) return misuse::none;
      using last = std::tuple_element_t<1, std::tuple<Rest...>>;
      if (count_leading_iterators<Rest...>() < Iterators) return misuse::too_few_iterators;
      return std::is_same_v<range, last> ? misuse::none : misuse::two_iterator_types;
    }
  } else if constexpr (is_stream_v<First>) {
    return misuse::stream_for_policy;
  } else {
    return is_iterator_v<First> || (std::is_integral_v<First> && sizeof...(Rest) > 2)
               ? misuse::no_policy
               : misuse::none;
  }
}

template <class... Arguments>
using enable_range =
    std::enable_if_t<count_leading_iterators<std::decay_t<Arguments>...>() >= 2, int>;
template <misuse Misuse>
using enable_misuse = std::enable_if_t<Misuse != misuse::none, int>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

/// Refuses calls of `call` that would not compile otherwise. `iterators` is how many follow the
/// policy at least, of which the first two bound a range; 0 where calls differ in that.
#define GPUSORT_DETAIL_REFUSE(call, iterators)                                                    \
  template <class First, class... Rest,                                                           \
            detail::enable_misuse<                                                                \
                detail::misuse_of<iterators, std::decay_t<First>, std::decay_t<Rest>...>()> = 0>  \
  void call(const First&, const Rest&...) {                                                       \
    constexpr auto why =                                                                          \
        detail::misuse_of<iterators, std::decay_t<First>, std::decay_t<Rest>...>();               \
    static_assert(why != detail::misuse::stream_for_policy,                                       \
                  "gpusort: " #call                                                               \
                  " takes a policy first, not a stream; write gpusort::par_gpu.on(stream)");      \
    static_assert(why != detail::misuse::no_policy,                                               \
                  "gpusort: " #call " takes a policy first, such as gpusort::par_gpu");           \
    static_assert(why != detail::misuse::no_iterators,                                            \
                  "gpusort: " #call                                                               \
                  " takes iterators after the policy, not a range; write range.begin(), "         \
                  "range.end()");                                                                 \
    static_assert(why != detail::misuse::two_iterator_types,                                      \
                  "gpusort: " #call                                                               \
                  " takes two iterators of one type to bound a range; write both begin() and "    \
                  "end(), or both cbegin() and cend()");                                          \
    static_assert(why != detail::misuse::volatile_elements,                                       \
                  "gpusort: " #call                                                               \
                  " does not take volatile elements; cast volatile away, if no other thread "     \
                  "uses the range during the call");                                              \
    static_assert(why != detail::misuse::no_random_access,                                        \
                  "gpusort: " #call                                                               \
                  " takes random access iterators, which those of a list are not; copy it to a "  \
                  "std::vector");                                                                 \
    static_assert(why != detail::misuse::too_few_iterators,                                       \
                  "gpusort: " #call " takes " #iterators                                          \
                  " iterators after the policy, and then a comparator and a projection");         \
  }                                                                                               \
  template <class Never = void, class... Rest>                                                    \
  void call(detail::range_without_policy, const Rest&...) {                                       \
    static_assert(!std::is_void_v<Never>,                                                         \
                  "gpusort: " #call " takes a policy first, such as gpusort::par_gpu");           \
  }                                                                                               \
  template <class... Rest, detail::enable_range<Rest...> = 0>                                     \
  void call(detail::foreign_policy, const Rest&...) {                                             \
    static_assert(sizeof...(Rest) == 0,                                                           \
                  "gpusort: " #call                                                               \
                  " takes a policy of gpusort, not one of the standard library or Thrust; write " \
                  "gpusort::par_gpu");                                                            \
  }

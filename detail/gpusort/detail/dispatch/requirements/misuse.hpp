// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/requirements/order.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <cuda_runtime_api.h>
#endif

// What a call is told that begins with the wrong arguments: a sentence, in place of the list of all
// functions of its name. Only calls that would not compile otherwise come here.

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

enum class misuse { none, stream_for_policy, no_policy, no_iterators, no_random_access };

/// Made of a range: a conversion, so that any function of somebody else's is a better match.
struct range_without_policy {
  template <class Range, std::enable_if_t<is_range<Range>::value && !is_iterator_v<Range>, int> = 0>
  range_without_policy(const Range&) {}
};

/// Of the arguments of a call that begin with First; other arguments than these are none of ours,
/// as argument-dependent lookup may bring them here.
template <class First, class... Rest>
constexpr misuse misuse_of() {
  if constexpr (is_policy<First>::value && sizeof...(Rest) > 0) {
    using range = std::tuple_element_t<0, std::tuple<Rest...>>;
    if constexpr (std::is_integral_v<range>) {
      return misuse::none;  // an index
    } else if constexpr (!is_iterator_v<range> || sizeof...(Rest) == 1) {
      return misuse::no_iterators;
    } else {
      return is_random_access_v<range> ? misuse::none : misuse::no_random_access;
    }
#if GPUSORT_CUDA
  } else if constexpr (std::is_class_v<First> || std::is_same_v<First, cudaStream_t>) {
    if constexpr (std::is_convertible_v<First, cudaStream_t>) return misuse::stream_for_policy;
    return is_iterator_v<First> ? misuse::no_policy : misuse::none;
#endif
  } else {
    return is_iterator_v<First> ? misuse::no_policy : misuse::none;
  }
}

template <misuse Misuse>
using enable_misuse = std::enable_if_t<Misuse != misuse::none, int>;

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

#define GPUSORT_DETAIL_REFUSE(call)                                                               \
  template <                                                                                      \
      class First, class... Rest,                                                                 \
      detail::enable_misuse<detail::misuse_of<std::decay_t<First>, std::decay_t<Rest>...>()> = 0> \
  void call(const First&, const Rest&...) {                                                       \
    constexpr auto why = detail::misuse_of<std::decay_t<First>, std::decay_t<Rest>...>();         \
    static_assert(why != detail::misuse::stream_for_policy,                                       \
                  "gpusort: " #call                                                               \
                  " takes a policy first, not a stream; write "                                   \
                  "gpusort::par_gpu.on(stream)");                                                 \
    static_assert(why != detail::misuse::no_policy,                                               \
                  "gpusort: " #call " takes a policy first, such as gpusort::par_gpu");           \
    static_assert(why != detail::misuse::no_iterators,                                            \
                  "gpusort: " #call                                                               \
                  " takes iterators after the policy, not a range; write "                        \
                  "range.begin(), range.end()");                                                  \
    static_assert(why != detail::misuse::no_random_access,                                        \
                  "gpusort: " #call                                                               \
                  " takes random access iterators, which those of a list are "                    \
                  "not; copy it to a std::vector");                                               \
  }                                                                                               \
  template <class Never = void, class... Rest>                                                    \
  void call(detail::range_without_policy, const Rest&...) {                                       \
    static_assert(!std::is_void_v<Never>,                                                         \
                  "gpusort: " #call " takes a policy first, such as gpusort::par_gpu");           \
  }

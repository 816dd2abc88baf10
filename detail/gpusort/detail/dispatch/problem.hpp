// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/router/router.hpp>
#include <gpusort/detail/support/order.hpp>
#include <gpusort/detail/support/order_by.hpp>
#include <gpusort/detail/support/rotated_record.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <initializer_list>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

inline constexpr const char* stable_in_place =
    "no route is both stable and in place; leave out in_place and bitonic_sort";

/// Tells what the router needs to know of a call: `Key` ordered by the canonical `Compare`, with
/// `Values`. KeepsOrder: equivalent elements can be told apart, and must keep their order. Calls
/// that differ in nothing of this, as those that wait and those that do not, share their sorts.
template <bool InPlace, bool KeepsOrder, bool OnlyIndices, route Forced, class Compare, class Key,
          class... Values>
struct problem_type {
  static constexpr router::order_kind order =
      is_arithmetic_key_v<Key> && is_less_or_greater_v<Compare> ? router::order_kind::arithmetic
      : is_encodable_v<Compare, Key>                            ? router::order_kind::encoded
                                                                : router::order_kind::opaque;

  static constexpr std::size_t alignment() {
    std::size_t largest = 1;
    for (std::size_t a : {alignof(Key), alignof(Values)...}) largest = a > largest ? a : largest;
    return largest;
  }

  static constexpr router::problem value = {
      sizeof(Key),
      (std::size_t{0} + ... + sizeof(Values)),
      static_cast<int>(sizeof...(Values)),
      alignment(),
      order,
      KeepsOrder,
      InPlace,
      OnlyIndices,
      false,
      Forced,
      has_long_key_v<Compare, Key> ? key_format<Compare, Key>::bits : encoded_bits<Compare, Key>,
      has_fixed_offsets_v<Compare> || (sizeof...(Values) == 0 && is_rotatable_v<Key, Compare>)};

  static_assert(value.forced != route::radix_sort || has_integer_key_v<Compare, Key>,
                "gpusort: algorithm::radix_sort needs an order that the library can see through: "
                "less or greater on arithmetic keys, order_by of 128 bits at most, or a projection "
                "onto such keys");
  static_assert(value.forced != route::counting_sort ||
                    router::may_take(value, route::counting_sort),
                "gpusort: algorithm::counting_sort needs numbers of one or two bytes, less or "
                "greater, and no values; a stable or deterministic sort, integers");
};

template <class Call, bool Stable, bool OnlyIndices, class Compare, class Key, class... Values>
struct problem_of_call {
  // Integers by themselves: no one can tell which of two equal keys came first.
  static constexpr bool equal_is_identical =
      is_integer_key_v<Key> && is_less_or_greater_v<Compare> && sizeof...(Values) == 0;

  // The network that sorts in place is deterministic itself.
  static constexpr bool is_in_place = Call::in_place || Call::forced == route::bitonic_sort;
  static constexpr bool keeps_order =
      OnlyIndices || ((Stable || (Call::deterministic && !is_in_place)) && !equal_is_identical);

  using type =
      problem_type<Call::in_place, keeps_order, OnlyIndices, Call::forced, Compare, Key, Values...>;
};

template <class Call, bool Stable, bool OnlyIndices, class Compare, class Key, class... Values>
using problem_of =
    typename problem_of_call<Call, Stable, OnlyIndices, Compare, Key, Values...>::type;

/// Alignment that the routes of a problem want of a range: wide moves, where elements are moved at
/// every pass. A constant, as nvcc takes 400 MB for each use of an alias template that evaluates
/// it.
template <class Problem, class Iterator>
inline constexpr std::size_t range_alignment =
    router::layout_of(Problem::value) == router::layout::elements && !Problem::value.in_place
        ? wide_alignment<value_t<Iterator>>()
        : 1;

/// Refuses a forced algorithm that cannot do it, on the CPU too, where it is of no consequence.
template <class Problem>
constexpr void require_route() {
  static_cast<void>(Problem::value);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

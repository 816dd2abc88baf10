// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/counting_sort.hpp>
#include <gpusort/detail/algorithm/radix_sort.hpp>
#include <gpusort/detail/algorithm/small_radix_sort.hpp>
#include <gpusort/detail/dispatch/comparison_sort.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/sort_request.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/packed_record.hpp>
#include <tuple>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Elements are moved as they are: keys, or keys with one range of values.
template <class Problem, class Key, class Compare, class... Values>
struct sort_as_elements {
  using request = sort_request<Key, Compare, Values...>;
  using stored = wide_stored_t<Key>;
  static constexpr router::problem problem = Problem::value;
  static constexpr bool is_stable = problem.stable || problem.forced == route::merge_sort;
  static constexpr bool has_values = sizeof...(Values) == 1;
  static constexpr bool may_do_with_less = false;  // scratch than its routes want

  // The one range of values, if there is one.
  using value = std::tuple_element_t<0, std::tuple<Values..., no_value>>;
  // Floats and packed records compare sooner as integers, and short numbers as words.
  static constexpr bool is_short = is_arithmetic_key_v<Key> && sizeof(Key) <= 2 && !has_values;
  using keys_held = packed_or<Key, Compare, problem.stable,
                              std::conditional_t<is_less_or_greater_v<Compare> && !problem.stable &&
                                                     (is_float_key_v<Key> || is_short),
                                                 as_ordered_bits, as_is>>;
  using held = typename keys_held::held;
  using array = std::conditional_t<has_values, key_value_array<stored, wide_stored_t<value>, held>,
                                   key_array<stored, held>>;
  using order_of_keys = by_stored_value<typename keys_held::compare>;
  using order = std::conditional_t<has_values, by_key<order_of_keys>, order_of_keys>;

  static array array_at(const request& r, const Key* keys) {
    auto* const k = reinterpret_cast<stored*>(const_cast<Key*>(keys));
    if constexpr (has_values) {
      return {k, reinterpret_cast<decltype(array::values)>(std::get<0>(r.values))};
    } else {
      return {k};
    }
  }

  static order order_of(const Compare& compare) {
    if constexpr (has_values) {
      return {{keys_held::compare_of(compare)}};
    } else {
      return {keys_held::compare_of(compare)};
    }
  }

  static constexpr bool is_descending = std::is_same_v<Compare, greater>;
  using counting = counting_sort<Key, is_descending>;
  using radix = radix_sort<Key, value, is_descending>;

  /// Returns sample sort's limits for few elements, on the current device.
  static router::few_limits few_limits() { return few_limits_of<array, order>(); }

  template <route R>
  static std::size_t scratch_bytes(bool is_in_place, std::uint64_t n) {
    if constexpr (R == route::counting_sort) {
      return counting::scratch_bytes(n);
    } else if constexpr (R == route::radix_sort) {
      return radix::scratch_bytes(n, is_in_place);
    } else {
      return comparison_sort<R, array, order, is_stable>::scratch_bytes(n);
    }
  }

  template <route R>
  static void run(const request& r, void* scratch, std::size_t) {
    if constexpr (R == route::counting_sort) {
      counting::run(r.stream, r.in, r.keys, r.n, scratch);
    } else if constexpr (R == route::radix_sort) {
      value* values = nullptr;
      if constexpr (has_values) values = std::get<0>(r.values);
      radix::run(r.stream, r.in, values, r.keys, values, r.n, scratch);
    } else if constexpr (R == route::small_sort && router::is_two_byte_keys(problem)) {
      using digits = small_radix_sort<array, is_descending>;
      static_assert(router::small_sort_limit(problem) <= digits::max_n);
      digits::run(r.stream, array_at(r, r.in), array_at(r, r.keys), r.n);
    } else {
      using sort = comparison_sort<R, array, order, is_stable>;
      const array in = array_at(r, r.in), out = array_at(r, r.keys);
      if constexpr (R == route::sample_sort) {
        sort::run(r.stream, in, out, r.n, order_of(r.compare), scratch, r.known);
      } else {
        sort::run(r.stream, in, out, r.n, order_of(r.compare), scratch);
      }
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

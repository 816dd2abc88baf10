// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/requirements/order.hpp>
#include <gpusort/detail/dispatch/run_table.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/router/router.hpp>
#include <iterator>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <route R>
using route_constant = std::integral_constant<route, R>;

template <class Problem, class Visit, std::size_t... Row>
void visit_row(route chosen, const Visit& visit, std::index_sequence<Row...>) {
  const auto visit_if_chosen = [&](auto r) {
    if constexpr (router::may_take(Problem::value, r.value)) {
      if (r.value == chosen) visit(r);
    }
  };
  (visit_if_chosen(route_constant<router::routes[Row].algorithm>{}), ...);
}

/// Calls visit(route_constant<r>{}) for the route that the router has chosen. This is where a
/// choice becomes code, and only routes that the problem may take do.
template <class Problem, class Visit>
void visit_route(route chosen, const Visit& visit) {
  visit_row<Problem>(chosen, visit, std::make_index_sequence<std::size(router::routes)>{});
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

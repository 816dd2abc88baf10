// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/cluster_sample_sort.hpp>
#include <gpusort/detail/algorithm/merge_sort.hpp>
#include <gpusort/detail/algorithm/quicksort.hpp>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/algorithm/single_launch_sample_sort.hpp>
#include <gpusort/detail/algorithm/small_sort.hpp>
#include <gpusort/detail/kernel/bucket_table.hpp>
#include <gpusort/detail/router/router.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/support/library.hpp>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Holds what is sorted, in memory that the current device reaches: n keys of `in` into `keys`,
/// which may be the same array, and their values.
template <class Key, class Compare, class... Values>
struct sort_request {
  const Key* in;
  Key* keys;
  std::uint64_t n;
  Compare compare;
  std::tuple<Values*...> values;
  call_stream stream;  // without a completion where the call does not wait, or does more than sort
  bool is_aligned;     // to wide_alignment of each type, where layout_of() is elements
  kernel::sortedness known = {};  // what a key inference has found of the order, if there was one
};

/// A route as it is taken for a number of elements: what scratch it wants, with how much less it
/// also does its work, and the function that does it, of type Run.
template <class Run>
struct prepared_sort {
  std::size_t bytes = 0;
  std::size_t least_bytes = 0;
  Run* run = nullptr;  // null where a plan only asks for the bytes: that compiles no kernel

  /// Returns the function, of a route that was prepared to run.
  Run& to_run() const {
    assert(run != nullptr);
    return *run;
  }
};

inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

/// Returns router::choose() of a call.
GPUSORT_LINKABLE router::decision choose_route(const router::problem& problem, std::uint64_t n,
                                               const router::abilities& device);

/// Returns router::without_scratch() of a call.
GPUSORT_LINKABLE router::decision choose_without_scratch(const router::problem& problem,
                                                         std::uint64_t n,
                                                         const router::abilities& device,
                                                         const router::decision& failed);

#if GPUSORT_DEFINES_LINKABLE
GPUSORT_LINKABLE router::decision choose_route(const router::problem& problem, std::uint64_t n,
                                               const router::abilities& device) {
  return router::choose(problem, n, device);
}
GPUSORT_LINKABLE router::decision choose_without_scratch(const router::problem& problem,
                                                         std::uint64_t n,
                                                         const router::abilities& device,
                                                         const router::decision& failed) {
  return router::without_scratch(problem, n, device, failed);
}
#endif

}  // namespace GPUSORT_LINKED

template <class Prepared, class Problem, class Visit, std::size_t... Row>
Prepared visit_row(route chosen, const Visit& visit, std::index_sequence<Row...>) {
  Prepared prepared;
  const auto visit_if_chosen = [&](auto r) {
    if constexpr (router::may_take(Problem::value, r.value)) {
      if (r.value == chosen) prepared = visit(r);
    }
  };
  (visit_if_chosen(std::integral_constant<route, router::routes[Row].algorithm>{}), ...);
  return prepared;
}

/// Returns what visit makes of the route that the router has chosen, a std::integral_constant. This
/// is where a choice becomes code, and only routes that the problem may take do.
template <class Prepared, class Problem, class Visit>
Prepared visit_route(route chosen, const Visit& visit) {
  return visit_row<Prepared, Problem>(chosen, visit,
                                      std::make_index_sequence<std::size(router::routes)>{});
}

// The algorithm of each route that sorts by comparisons. All have scratch_bytes(n) and run(stream,
// in, out, n, order, scratch).

template <route R, class Array, class Order, bool Stable>
struct comparison_sort_of;
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::small_sort, Array, Order, Stable>
    : type_is<tuned_small_sort<Array, Order, Stable>> {};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::cluster_sample_sort, Array, Order, Stable>
    : type_is<tuned_cluster_sample_sort<Array, Order>> {};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::single_launch_sample_sort, Array, Order, Stable>
    : type_is<tuned_single_launch_sample_sort<Array, Order>> {};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::sample_sort, Array, Order, Stable>
    : type_is<tuned_sample_sort<Array, Order>> {};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::lean_sample_sort, Array, Order, Stable>
    : type_is<tuned_sample_sort<Array, Order, bucket_ids::recomputed>> {};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::quicksort, Array, Order, Stable>
    : type_is<quicksort<Array, Order>> {};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::merge_sort, Array, Order, Stable>
    : type_is<tuned_merge_sort<Array, Order, !Stable>> {};

template <route R, class Array, class Order, bool Stable>
using comparison_sort = typename comparison_sort_of<R, Array, Order, Stable>::type;

/// Returns what sample sort's routes for few elements take on the current device.
template <class Array, class Order>
router::one_launch_limits one_launch_limits_of() {
  return {tuned_cluster_sample_sort<Array, Order>::max_n(),
          tuned_single_launch_sample_sort<Array, Order>::max_n()};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

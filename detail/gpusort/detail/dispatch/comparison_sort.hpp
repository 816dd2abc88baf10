// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/cluster_sample_sort.hpp>
#include <gpusort/detail/algorithm/merge_sort.hpp>
#include <gpusort/detail/algorithm/quicksort.hpp>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/algorithm/single_launch_sample_sort.hpp>
#include <gpusort/detail/algorithm/small_sort.hpp>
#include <gpusort/detail/router/router.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// The algorithm of each route that sorts by comparisons. All have scratch_bytes(n) and run(stream,
// in, out, n, order, scratch).

template <route R, class Array, class Order, bool Stable>
struct comparison_sort_of;
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::small_sort, Array, Order, Stable> {
  using type = small_sort<Array, Order, Stable>;
};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::cluster_sample_sort, Array, Order, Stable> {
  using type = cluster_sample_sort<Array, Order>;
};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::single_launch_sample_sort, Array, Order, Stable> {
  using type = single_launch_sample_sort<Array, Order>;
};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::sample_sort, Array, Order, Stable> {
  using type = sample_sort<Array, Order>;
};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::lean_sample_sort, Array, Order, Stable> {
  using type = sample_sort<Array, Order, sample_sort_numbers<typename Array::value_type, Order>,
                           bucket_ids::recomputed>;
};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::quicksort, Array, Order, Stable> {
  using type = quicksort<Array, Order>;
};
template <class Array, class Order, bool Stable>
struct comparison_sort_of<route::merge_sort, Array, Order, Stable> {
  using type = std::conditional_t<Stable, merge_sort<Array, Order>, lean_merge_sort<Array, Order>>;
};

template <route R, class Array, class Order, bool Stable>
using comparison_sort = typename comparison_sort_of<R, Array, Order, Stable>::type;

/// Returns what sample sort's routes for few elements take on the current device.
template <class Array, class Order>
router::few_limits few_limits_of() {
  return {cluster_sample_sort<Array, Order>::max_n(),
          single_launch_sample_sort<Array, Order>::max_n()};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

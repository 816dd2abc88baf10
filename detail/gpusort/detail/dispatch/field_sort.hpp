// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/comparison_sort.hpp>
#include <gpusort/detail/dispatch/iterators.hpp>
#include <gpusort/detail/dispatch/visit_route.hpp>
#include <gpusort/detail/router/estimates.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/detail/support/packed_record.hpp>
#include <gpusort/detail/support/zip_array.hpp>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// A sort of records by field, where the fields are: of a zip of contiguous ranges.
template <class Problem, class Compare, class Iterator>
struct field_sort {
  static constexpr bool is_possible() { return false; }
};

template <class Problem, class Compare, class First, class... Rest>
struct field_sort<Problem, Compare, thrust::zip_iterator<thrust::tuple<First, Rest...>>> {
  using zip = thrust::zip_iterator<thrust::tuple<First, Rest...>>;

  /// Whether the routes take columns: records that are moved at every pass, in an order that is
  /// known by comparisons only.
  static constexpr bool is_possible() {
    constexpr router::problem p = Problem::value;
    return is_contiguous_v<First> && (is_contiguous_v<Rest> && ...) &&
           router::layout_of(p) == router::layout::elements &&
           router::order_of(p) == router::order_kind::opaque && !p.in_place &&
           p.forced == route::nothing;
  }

  static plan plan_for(std::uint64_t n) {
    const router::decision chosen = choose(n);
    const router::two_estimates estimates = router::estimates_of(Problem::value, n, chosen);
    return {chosen.algorithm,
            chosen.reason,
            router::passes(chosen.algorithm, n, 0),
            scratch_bytes(chosen.algorithm, n),
            estimates.chosen,
            estimates.next_best};
  }

  static void run(const call_stream& stream, const zip& first, std::uint64_t n,
                  const Compare& compare, const memory_source& memory) {
    const array records = array_at(first, others{});
    until_launches_fit([&] {
      const route chosen = choose(n).algorithm;
      const nvtx_range range(name_of(chosen));
      const auto scratch = scratch_buffer::or_throw(memory, scratch_bytes(chosen, n), stream);
      visit(chosen, [&](auto sort) {
        sort.run(stream, records, records, n, order{rows_held::compare_of(compare)},
                 scratch.data());
      });
    });
  }

 private:
  using others = std::index_sequence_for<Rest...>;
  using rows_held = packed_or<value_t<zip>, Compare, Problem::value.stable, as_is>;
  using array = zip_array<value_t<zip>, typename rows_held::held, value_t<First>, value_t<Rest>...>;
  using order = by_stored_value<typename rows_held::compare>;

  static router::decision choose(std::uint64_t n) {
    router::abilities device;
    device.one_launch = one_launch_limits_of<array, order>();
    return router::choose(Problem::value, n, device);
  }

  template <class Visit>
  static void visit(route chosen, const Visit& visit_sort) {
    visit_route<Problem>(chosen, [&](auto r) {
      if constexpr (r.value != route::bitonic_sort) {
        visit_sort(comparison_sort<r.value, array, order, Problem::value.stable>{});
      }
    });
  }

  static std::size_t scratch_bytes(route chosen, std::uint64_t n) {
    std::size_t bytes = 0;
    visit(chosen, [&](auto sort) { bytes = sort.scratch_bytes(n); });
    return bytes;
  }

  template <std::size_t... Is>
  static array array_at(const zip& first, std::index_sequence<Is...>) {
    const auto& c = first.get_iterator_tuple();
    return {address_of(thrust::get<0>(c)), {address_of(thrust::get<Is + 1>(c))...}};
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

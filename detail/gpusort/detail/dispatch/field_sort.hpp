// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/iterators.hpp>
#include <gpusort/detail/dispatch/prepared_sort.hpp>
#include <gpusort/detail/router/estimates.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/launch.hpp>
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
            prepare<false>(chosen.algorithm, n).bytes,
            estimates.chosen,
            estimates.next_best};
  }

  struct request {
    const zip& first;
    std::uint64_t n;
    const Compare& compare;
    call_stream stream;
  };

  static void run(const request& r, const memory_source& memory) {
    for (;;) {
      try {
        const route chosen = choose(r.n).algorithm;
        const nvtx_range range(name_of(chosen));
        const prepared sort = prepare<true>(chosen, r.n);
        const auto scratch = scratch_buffer::or_throw(memory, sort.bytes, r.stream);
        return sort.run(r, scratch.data());
      } catch (const launch_refused& refused) {
        do_without(refused);
      }
    }
  }

 private:
  using others = std::index_sequence_for<Rest...>;
  using rows_held = packed_or<value_t<zip>, Compare, Problem::value.stable, as_is>;
  using array = zip_array<value_t<zip>, typename rows_held::held, value_t<First>, value_t<Rest>...>;
  using order = by_stored_value<typename rows_held::compare>;

  static router::decision choose(std::uint64_t n) {
    router::abilities device;
    device.few = few_limits_of<array, order>();
    return router::choose(Problem::value, n, device);
  }

  using prepared = prepared_sort<void(const request&, void* scratch)>;

  template <bool Runs>
  static prepared prepare(route chosen, std::uint64_t n) {
    return visit_route<prepared, Problem>(chosen, [&](auto r) {
      prepared sort;
      if constexpr (r.value != route::bitonic_sort) {
        sort.bytes = by_route<r.value>::scratch_bytes(n);
        sort.least_bytes = sort.bytes;
        if constexpr (Runs) sort.run = &run_route<r.value>;
      }
      return sort;
    });
  }

  template <route R>
  using by_route = comparison_sort<R, array, order, Problem::value.stable>;

  template <route R>
  static void run_route(const request& r, void* scratch) {
    const array records = array_at(r.first, others{});
    by_route<R>::run(r.stream, records, records, r.n, order{rows_held::compare_of(r.compare)},
                     scratch);
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

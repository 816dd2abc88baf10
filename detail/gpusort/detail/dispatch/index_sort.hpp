// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/requirements/index.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/index_sort.hpp>
#include <gpusort/detail/router/plan.hpp>
#include <gpusort/detail/support/index_at.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <type_traits>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_index_sort.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Index, class Bound>
Index index_bound(Bound bound) {
  if constexpr (std::is_signed_v<Bound> && !std::is_signed_v<Index>) {
    if (bound < 0) {
      refuse(
          "a bound is negative, and the common type of the bounds is unsigned; pass signed bounds");
    }
  }
  return static_cast<Index>(bound);
}

template <class Index>
struct index_range {
  Index first;
  std::uint64_t n;

  template <class First, class Last>
  index_range(First from, Last to) : first(index_bound<Index>(from)) {
    const Index last = index_bound<Index>(to);
    if (last < first) {
      refuse("last is before first; pass the first index and then the one after the last");
    }
    n = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  }
};

template <bool Stable, class Call>
void reject_stable_in_place() {
  if constexpr (Stable && (Call::in_place || Call::forced == route::bitonic_sort)) {
    refuse(stable_in_place);
  }
}

/// Proves that the indexed elements ascend.
template <class Operation>
struct proof_of_indexed {
  const Operation& sort;

#if GPUSORT_CUDA

  pointer_kind owner() const { return {}; }

  template <class Call>
  unsigned long long before(const Call&) const {
    return 0;
  }

  template <class Call>
  void after(const Call& call, unsigned long long) const {
    const device_record record(call);
    verification::run(call.stream, hidden_elements{}, 0, sort.range.n, sort.ascending(),
                      record.get());
    require_proof(0, record.read());
  }

#endif

  template <class Call, class Run>
  void without_device(const Run& run) const {
    sort.template with_descents<Call>([&](auto descends) {
      run();
      pass_record found;
      found.first_wrong = host::first_wrong(static_cast<std::size_t>(sort.range.n), descends);
      require_proof(0, found);
    });
  }
};

/// Sorts the elements at n indices, compared as indices.
template <bool Stable, class Index, class Compare, class Swap>
struct sort_by_index_operation : operation_traits {
  index_range<Index> range;
  Compare compare;
  Swap swap;

  sort_by_index_operation(const index_range<Index>& indices, const Compare& order,
                          const Swap& exchange)
      : range(indices), compare(order), swap(exchange) {}

  proof_of_indexed<sort_by_index_operation> proof() const { return {*this}; }

  template <class Call>
  bool has_work() const {
    reject_stable_in_place<Stable, Call>();
    return range.n >= 2;
  }

#if GPUSORT_CUDA

  ascending_indices<Index, Compare> ascending() const { return {range.first, compare}; }

  template <class Call>
  void with_device(const Call& call) const {
    index_sort_on_device<Stable>(call, range.first, range.n,
                                 compared_indices<Index, Compare>(range.first, compare), swap);
  }

#endif

  template <class Call>
  void without_device() const {
    on_host<Call>(
        [&](auto compare_here, auto swap_here) {
          host::sort_by_index(range.first, range.n, compare_here, swap_here, Call::in_place);
        },
        compare, swap);
  }

  /// Calls body(descends), which tells whether the i-th element is before its predecessor.
  template <class Call, class Body>
  void with_descents(const Body& body) const {
    on_host<Call>(
        [&](auto compare_here) {
          body([&](std::size_t i) {
            return i > 0 && static_cast<bool>(compare_here(index_at(range.first, i),
                                                           index_at(range.first, i - 1)));
          });
        },
        compare);
  }
};

/// Sorts the elements at n indices by keys, which fetch makes of indices.
template <bool Stable, class Index, class Fetch, class Compare, class Swap>
struct sort_by_fetch_operation : operation_traits {
  index_range<Index> range;
  Fetch fetch;
  Compare compare;
  Swap swap;

  sort_by_fetch_operation(const index_range<Index>& indices, const Fetch& get, const Compare& order,
                          const Swap& exchange)
      : range(indices), fetch(get), compare(order), swap(exchange) {}

  proof_of_indexed<sort_by_fetch_operation> proof() const { return {*this}; }

  template <class Call>
  bool has_work() const {
    reject_stable_in_place<Stable, Call>();
    return range.n >= 2;
  }

#if GPUSORT_CUDA

  ascending_fetched_keys<Index, Fetch, Compare, fetched_t<Fetch, Index>> ascending() const {
    return {range.first, fetch, compare};
  }

  template <class Call>
  void with_device(const Call& call) const {
    index_sort_on_device<Stable>(call, range.first, range.n,
                                 fetched_keys<Index, Fetch, Compare>(range.first, fetch, compare),
                                 swap);
  }

#endif

  template <class Call>
  void without_device() const {
    on_host<Call>(
        [&](auto fetch_here, auto compare_here, auto swap_here) {
          host::sort_by_fetch(range.first, range.n, fetch_here, compare_here, swap_here,
                              Call::in_place);
        },
        fetch, compare, swap);
  }

  /// Calls body(descends), which tells whether the i-th element is before its predecessor.
  template <class Call, class Body>
  void with_descents(const Body& body) const {
    on_host<Call>(
        [&](auto fetch_here, auto compare_here) {
          using key = fetched_t<Fetch, Index>;
          body([&](std::size_t i) {
            if (i == 0) return false;
            const key here = fetch_here(index_at(range.first, i));
            const key left = fetch_here(index_at(range.first, i - 1));
            return static_cast<bool>(compare_here(here, left));
          });
        },
        fetch, compare);
  }
};

/// Sorts the elements at n indices, compared as indices.
template <bool Stable, class Call, class Index, class Compare, class Swap>
void sort_by_index(const Call& call, const index_range<Index>& range, const Compare& compare,
                   const Swap& swap) {
  require_route<problem_of<Call, Stable, false, Compare, Index>>();
  run_call(call, sort_by_index_operation<Stable, Index, Compare, Swap>(range, compare, swap));
}

/// Sorts the elements at n indices by keys, which fetch makes of indices.
template <bool Stable, class Call, class Index, class Fetch, class Compare, class Swap>
void sort_by_fetch(const Call& call, const index_range<Index>& range, const Fetch& fetch,
                   const Compare& compare, const Swap& swap) {
  require_route<problem_of<Call, true, true, Compare, fetched_t<Fetch, Index>>>();
  run_call(call, sort_by_fetch_operation<Stable, Index, Fetch, Compare, Swap>(range, fetch, compare,
                                                                              swap));
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
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
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
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

/// Sorts the elements at n indices, compared as indices.
template <bool Stable, class Call, class Index, class Compare, class Swap>
void sort_by_index([[maybe_unused]] const Call& call, const index_range<Index>& range,
                   const Compare& compare, const Swap& swap) {
  reject_stable_in_place<Stable, Call>();
  require_route<problem_of<Call, Stable, false, Compare, Index>>();
  if (range.n < 2) return;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      index_sort_on_device<Stable>(own, range.first, range.n,
                                   compared_indices<Index, Compare>(range.first, compare), swap);
    });
  }
#endif
  on_host<Call>(
      [&](auto compare_here, auto swap_here) {
        host::sort_by_index(range.first, range.n, compare_here, swap_here, Call::in_place);
      },
      compare, swap);
}

/// Sorts the elements at n indices by keys, which fetch makes of indices.
template <bool Stable, class Call, class Index, class Fetch, class Compare, class Swap>
void sort_by_fetch([[maybe_unused]] const Call& call, const index_range<Index>& range,
                   const Fetch& fetch, const Compare& compare, const Swap& swap) {
  reject_stable_in_place<Stable, Call>();
  require_route<problem_of<Call, true, true, Compare, fetched_t<Fetch, Index>>>();
  if (range.n < 2) return;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      index_sort_on_device<Stable>(own, range.first, range.n,
                                   fetched_keys<Index, Fetch, Compare>(range.first, fetch, compare),
                                   swap);
    });
  }
#endif
  on_host<Call>(
      [&](auto fetch_here, auto compare_here, auto swap_here) {
        host::sort_by_fetch(range.first, range.n, fetch_here, compare_here, swap_here,
                            Call::in_place);
      },
      fetch, compare, swap);
}

// Under verify: the functions prove that the indexed elements ascend.

template <bool Stable, class Call, class Index, class Compare, class Swap>
void sort_by_index(const verified_call<Call>& call, const index_range<Index>& range,
                   const Compare& compare, const Swap& swap) {
  const auto sort = [&](const Call& plain) { sort_by_index<Stable>(plain, range, compare, swap); };
#if GPUSORT_CUDA
  if (device_count() > 0) {
    using order = ascending_indices<Index, Compare>;
    return verify_indices_on_device(call, range.n, order{range.first, compare}, sort);
  }
#endif
  on_host<Call>(
      [&](auto compare_here) {
        sort(without_verify(call));
        pass_record after;
        after.first_wrong =
            host::first_wrong(static_cast<std::size_t>(range.n), [&](std::size_t i) {
              return i > 0 && static_cast<bool>(compare_here(index_at(range.first, i),
                                                             index_at(range.first, i - 1)));
            });
        require_proof(0, after);
      },
      compare);
}

template <bool Stable, class Call, class Index, class Fetch, class Compare, class Swap>
void sort_by_fetch(const verified_call<Call>& call, const index_range<Index>& range,
                   const Fetch& fetch, const Compare& compare, const Swap& swap) {
  const auto sort = [&](const Call& plain) {
    sort_by_fetch<Stable>(plain, range, fetch, compare, swap);
  };
#if GPUSORT_CUDA
  if (device_count() > 0) {
    using order = ascending_fetched_keys<Index, Fetch, Compare, fetched_t<Fetch, Index>>;
    return verify_indices_on_device(call, range.n, order{range.first, fetch, compare}, sort);
  }
#endif
  on_host<Call>(
      [&](auto fetch_here, auto compare_here) {
        using key = fetched_t<Fetch, Index>;
        sort(without_verify(call));
        pass_record after;
        after.first_wrong =
            host::first_wrong(static_cast<std::size_t>(range.n), [&](std::size_t i) {
              if (i == 0) return false;
              const key here = fetch_here(index_at(range.first, i));
              const key left = fetch_here(index_at(range.first, i - 1));
              return static_cast<bool>(compare_here(here, left));
            });
        require_proof(0, after);
      },
      fetch, compare);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

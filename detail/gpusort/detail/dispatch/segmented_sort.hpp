// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/memory/keep_input.hpp>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/segment_offsets.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/segmented_sort.hpp>
#include <gpusort/detail/support/invoke.hpp>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_segmented_sort.hpp>
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sorts each segment of n elements from `first` on, and in the same order the values.
template <bool Stable, class Call, class Compare, class Bounds, class KeyIterator,
          class... ValueIterators>
void sort_segments([[maybe_unused]] const Call& call, KeyIterator first, std::uint64_t n,
                   const Bounds& bounds, const Compare& compare, ValueIterators... values) {
  if (bounds.k == 0) return;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      segmented_sort_on_device<Stable>(own, bounds, n, compare, first, values...);
    });
  }
#endif
  using begins = typename Bounds::begin_iterator;
  using ends = typename Bounds::end_iterator;
  run_on_host<Call, KeyIterator, begins, ends, ValueIterators...>(compare, [&](auto callable) {
    require_offsets_within(bounds, n);
    if (n == 0) return;
    reject_overlaps(n, first, values...);
    host::stable_segmented_sort(host_iterator(bounds.begins), host_iterator(bounds.ends), bounds.k,
                                callable, host_iterator(first), host_iterator(values)...);
  });
}

// Segmented sorts under verify and keep_input.

template <bool Stable, class Call, class Compare, class Bounds, class KeyIterator,
          class... ValueIterators>
void sort_segments(const verified_call<Call>& call, KeyIterator first, std::uint64_t n,
                   const Bounds& bounds, const Compare& compare, ValueIterators... values) {
  const auto sort = [&](const Call& plain) {
    sort_segments<Stable>(plain, first, n, bounds, compare, values...);
  };
  if (n == 0 || bounds.k == 0) return sort(without_verify(call));
  verify_in_place(call, columns<KeyIterator, ValueIterators...>{{first, values...}, n}, bounds,
                  compare, sort);
}

template <bool Stable, class Call, class Compare, class Bounds, class KeyIterator,
          class... ValueIterators>
void sort_segments(const keeping_call<Call>& call, KeyIterator first, std::uint64_t n,
                   const Bounds& bounds, const Compare& compare, ValueIterators... values) {
  const auto sort = [&](auto keys, auto... others) {
    sort_segments<Stable>(without_keeping(call), keys, n, bounds, compare, others...);
  };
  if (n == 0) return sort(first, values...);
  reject_overlaps(n, first, values...);
  on_kept_copies(n, sort, first, values...);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/segment_offsets.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/segmented_sort.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <tuple>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_segmented_sort.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sorts each segment of n elements from `first` on, and in the same order the values.
template <bool Stable, class Compare, class Bounds, class KeyIterator, class... ValueIterators>
struct segmented_sort_operation : operation_traits {
  KeyIterator first;
  std::uint64_t n;
  Bounds bounds;
  Compare compare;
  std::tuple<ValueIterators...> values;

  segmented_sort_operation(KeyIterator keys, std::uint64_t count, const Bounds& segments,
                           const Compare& order, ValueIterators... others)
      : first(keys), n(count), bounds(segments), compare(order), values(others...) {}

  bool overwrites_input() const { return n > 0; }
  void require_disjoint() const {
    std::apply([&](const auto&... others) { reject_overlaps(n, first, others...); }, values);
  }
  std::tuple<KeyIterator, ValueIterators...> overwritten() const {
    return std::tuple_cat(std::tuple<KeyIterator>(first), values);
  }
  template <class Keys, class... Values>
  segmented_sort_operation<Stable, Compare, Bounds, Keys, Values...> on(Keys keys,
                                                                        Values... others) const {
    return {keys, n, bounds, compare, others...};
  }

  bool is_empty() const { return n == 0 || bounds.k == 0; }
  auto proof() const {
    return proof_in_place(columns<KeyIterator, ValueIterators...>{overwritten(), n}, bounds,
                          compare);
  }

  template <class Call>
  bool has_work() const {
    return bounds.k > 0;
  }

#if GPUSORT_CUDA
  template <class Call>
  void with_device(const Call& call) const {
    std::apply(
        [&](const auto&... others) {
          segmented_sort_on_device<Stable>(call, bounds, n, compare, first, others...);
        },
        values);
  }
#endif

  template <class Call>
  void without_device() const {
    using begins = typename Bounds::begin_iterator;
    using ends = typename Bounds::end_iterator;
    run_on_host<Call, KeyIterator, begins, ends, ValueIterators...>(compare, [&](auto callable) {
      require_offsets_within(bounds, n);
      if (n == 0) return;
      require_disjoint();
      std::apply(
          [&](const auto&... others) {
            host::stable_segmented_sort(host_iterator(bounds.begins), host_iterator(bounds.ends),
                                        bounds.k, callable, host_iterator(first),
                                        host_iterator(others)...);
          },
          values);
    });
  }
};

/// Sorts each segment of n elements from `first` on, and in the same order the values.
template <bool Stable, class Call, class Compare, class Bounds, class KeyIterator,
          class... ValueIterators>
void sort_segments(const Call& call, KeyIterator first, std::uint64_t n, const Bounds& bounds,
                   const Compare& compare, ValueIterators... values) {
  run_call(call, segmented_sort_operation<Stable, Compare, Bounds, KeyIterator, ValueIterators...>(
                     first, n, bounds, compare, values...));
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/order_of_indices.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/detail/support/public_call.hpp>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_is_sorted.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/element_order.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class Call, class Compare, class Iterator>
bool check_sorted([[maybe_unused]] const Call& call, Iterator first, Iterator last,
                  const Compare& compare) {
  const std::uint64_t n = length_of(first, last);
  if (n < 2) return true;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    bool is_sorted = false;
    run_on_device(call, [&](const Call& own) {
      with_device_ranges(
          own, waits_always,
          [&](completion*, const auto& keys) {
            using stored = stored_t<value_t<Iterator>>;
            const key_array<stored> array{reinterpret_cast<stored*>(keys.data())};
            is_sorted = is_sorted_on_device(own, array, n, by_stored_value<Compare>{compare});
          },
          use<access::read>(first, n));
    });
    return is_sorted;
  }
#endif
  bool is_sorted = false;
  run_on_host<Call, Iterator>(compare, [&](auto callable) {
    is_sorted = host::is_sorted(host_iterator(first), n, callable);
  });
  return is_sorted;
}

/// Runs check_sorted where the order tells nulls by the elements' indices.
template <class Call, class Iterator, class... Fields>
bool check_sorted_by_index(const Call& call, Iterator first, Iterator last,
                           const ordered_by<Fields...>& order) {
  const std::uint64_t n = length_of(first, last);
  bool is_sorted = true;
  if (n < 2) return is_sorted;
  with_indices(call, first, n, order, [&](const Call& own, auto begin, auto end, auto by_index) {
    is_sorted = check_sorted(own, begin, end, by_index);
  });
  return is_sorted;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

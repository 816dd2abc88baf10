// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/sort.hpp>
#include <gpusort/detail/distributed/device_list.hpp>
#include <gpusort/detail/support/config.hpp>
#include <tuple>
#include <vector>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/distributed/device_ranks.hpp>
#include <gpusort/detail/distributed/spread_external.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/pending_error.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

/// Least host elements that are sorted on several devices: a transfer of fewer takes about as long
/// as what several devices have to tell each other. By estimate, not measured.
inline constexpr std::uint64_t min_spread_n = std::uint64_t{1} << 20;

/// Returns false where the range is for one device: it is on one already, or has few elements.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
bool sort_on_devices(const Call& call, const std::vector<int>& devices, KeyIterator first,
                     std::uint64_t n, const Compare& compare, ValueIterators... values) {
  const bool is_on_host =
      (kind_of_range(first).on_host() && ... && kind_of_range(values).on_host());
  if (!is_on_host || devices.size() < 2 || n < min_spread_n) return false;
  try {
    distributed::sort_on_ranks<Stable>(call, devices, first, n, compare, values...);
  } catch (const out_of_memory&) {
    if constexpr (sizeof...(values) == 0) {
      distributed::sort_in_pieces_on_devices<Stable>(call, devices, first, n, compare);
    } else {
      throw;
    }
  }
  return true;
}

#endif

template <class Call, bool Stable, class Compare, class KeyIterator, class... ValueIterators>
bool sort_on_several(
    [[maybe_unused]] const spread_call<Call>& call,
    [[maybe_unused]] const sort_operation<Stable, Compare, KeyIterator, ValueIterators...>& sort) {
  static_assert(!Call::in_place,
                "gpusort: in_place is for one device: what comes from another one needs memory");
  bool is_done = false;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    if constexpr (sizeof...(ValueIterators) > 0) sort.require_disjoint();
    run_apart(without_option(call), [&](const Call& own) {
      const auto sort_them = [&](const auto&... values) {
        return sort_on_devices<Stable>(own, call.devices, sort.first, sort.n, sort.compare,
                                       values...);
      };
      is_done = std::apply(sort_them, sort.values);
    });
  }
#endif
  return is_done;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/sort.hpp>
#include <gpusort/detail/distributed/device_list.hpp>
#include <gpusort/detail/support/config.hpp>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
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
bool sort_on_several(const Call& call, const std::vector<int>& devices, KeyIterator first,
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

template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_ranges(const spread_call<Call>& call, KeyIterator first, KeyIterator last,
                 const Compare& compare, ValueIterators... values) {
  static_assert(!Call::in_place,
                "gpusort: in_place is for one device: what comes from another one needs memory");
  const Call& on_one = call;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    if constexpr (sizeof...(ValueIterators) == 0 && is_reverse<KeyIterator>::value) {
      return sort_ranges<Stable>(call, last.base(), first.base(), backwards(compare));
    } else {
      const std::uint64_t n = length_of(first, last);
      if (n == 0) return;
      if constexpr (sizeof...(values) > 0) reject_overlaps(n, first, values...);
      bool is_done = false;
      run_apart(on_one, [&](const Call& own) {
        is_done = sort_on_several<Stable>(own, call.devices, first, n, compare, values...);
      });
      if (is_done) return;
    }
  }
#endif
  sort_ranges<Stable>(on_one, first, last, compare, values...);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

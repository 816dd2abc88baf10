// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/host/sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sorts on the CPU; always stable.
template <class KeyIterator, class Compare, class... ValueIterators>
void host_sort(KeyIterator first, std::uint64_t n, const Compare& compare,
               ValueIterators... values) {
  if constexpr (sizeof...(ValueIterators) == 0) {
    if constexpr (std::is_pointer_v<decltype(host_iterator(first))>) {
      host::stable_sort(host_iterator(first), n, compare);
    } else {
      host::stable_sort_range(first, host::advanced(first, n), compare);
    }
  } else {
    host::stable_sort_by_key(host_iterator(first), n, compare, host_iterator(values)...);
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sources of the library instantiate.
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/linked_sort.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

template <class Problem, class Key, class Compare, class... Values>
plan linked_sort<Problem, Key, Compare, Values...>::plan_for(std::uint64_t n) {
  plan planned = device_sort<Problem, Key, Compare, Values...>::plan_for(n);
  planned.compiled_in = code_origin::library;
  return planned;
}

template <class Problem, class Key, class Compare, class... Values>
void linked_sort<Problem, Key, Compare, Values...>::run(
    const sort_request<Key, Compare, Values...>& r, const memory_source& memory) {
  device_sort<Problem, Key, Compare, Values...>::run(r, memory);
}

}  // namespace GPUSORT_LINKED
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/in_place.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/traits.hpp>

// Keys and values from several ranges, or elements reached through any iterator, brought together
// in one contiguous range of records, sorted there and put back.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

template <class... Its>
struct record;

template <class It>
struct record<It> {
  slot<value_t<It>> head;

  void take(std::size_t i, It first) { take_out(first, i, head.get()); }
  void put(std::size_t i, It first) { put_back(first, i, head.get()); }
};

template <class It, class... Rest>
struct record<It, Rest...> : record<It> {
  record<Rest...> tail;

  void take(std::size_t i, It first, Rest... rest) {
    record<It>::take(i, first);
    tail.take(i, rest...);
  }
  void put(std::size_t i, It first, Rest... rest) {
    record<It>::put(i, first);
    tail.put(i, rest...);
  }
};

/// Sorts all ranges stably by the first one's elements. False, and nothing done, where memory for
/// the records cannot be allocated. When comp throws, the ranges are as they were.
template <class Compare, class... Its>
bool sort_as_records(std::size_t n, Compare& comp, Its... ranges) {
  using Record = record<Its...>;
  const scratch memory = scratch::of<Record>(n);
  if (!memory) return false;
  Record* const records = memory.as<Record>();
  for_each_index(n, [&](std::size_t i) { records[i].take(i, ranges...); });
  auto compare = [&](const Record& a, const Record& b) {
    return static_cast<bool>(comp(*a.head.get(), *b.head.get()));
  };
  sort_elements(records, n, compare);
  for_each_index(n, [&](std::size_t i) { records[i].put(i, ranges...); });
  return true;
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

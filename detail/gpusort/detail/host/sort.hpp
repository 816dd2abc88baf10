// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/in_place.hpp>
#include <gpusort/detail/host/merge_sort.hpp>
#include <gpusort/detail/host/order.hpp>
#include <gpusort/detail/host/records.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/traits.hpp>

// The CPU backend. Elements are trivially relocatable and comp may be called by several threads at
// once, always with two elements of the range. The outcome is a permutation of the input for any
// comparator, and when it throws: the exception then leaves after all tasks have ended. When memory
// cannot be allocated, each call goes on in place, so none fails for want of it.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Records of a key and its values up to this size are sorted as one.
inline constexpr std::size_t moved_record_bytes = 64;

/// Sorts n elements stably in O(n log n), with scratch for as many; one pass over a range that is
/// one run.
template <class T, class Compare>
void stable_sort(T* first, std::size_t n, Compare comp) {
  if (n < 2) return;
  if constexpr (sizeof(T) > moved_element_bytes) {
    if (finish_single_run(first, n, comp)) return;
    if (with_order(first, n, comp, [&](auto* positions) { permute(n, positions, first); })) return;
    sort_ranges_in_place(first, n, comp);
  } else {
    sort_elements(first, n, comp);
  }
}

/// Sorts keys and values, any number of ranges, by the keys; stable.
template <class Compare, class KeyIt, class... ValueIts>
void stable_sort_by_key(KeyIt first, std::size_t n, Compare comp, ValueIts... values) {
  if (n < 2) return;
  const auto in_order = [&](const auto& a, const auto& b) {
    return !static_cast<bool>(comp(b, a));
  };
  if (all_neighbours(first, n, in_order)) return;
  constexpr std::size_t limit = sizeof...(values) == 0 ? moved_element_bytes : moved_record_bytes;
  if constexpr (sizeof(record<KeyIt, ValueIts...>) <= limit) {
    if (sort_as_records(n, comp, first, values...)) return;
  } else {
    const auto rearrange = [&](auto* positions) { permute(n, positions, first, values...); };
    if (with_order(first, n, comp, rearrange)) return;
  }
  sort_ranges_in_place(first, n, comp, values...);
}

template <class It, class Compare>
bool is_sorted(It first, std::size_t n, Compare comp) {
  return all_neighbours(
      first, n, [&](const auto& a, const auto& b) { return !static_cast<bool>(comp(b, a)); });
}

/// Writes out[i], the position of the i-th least element; equivalent ones in the order they have.
template <class It, class IndexIt, class Compare>
void argsort(It first, std::size_t n, IndexIt out, Compare comp) {
  using Index = value_t<IndexIt>;
  const auto fill = [&](const auto& index_of) {
    for_each_index(n, [&](std::size_t i) { *advanced(out, i) = static_cast<Index>(index_of(i)); });
  };
  if (n == 0) return;
  const auto write = [&](const auto* positions) {
    fill([&](std::size_t i) { return positions[i].index; });
  };
  if (with_order(first, n, comp, write)) return;
  fill([](std::size_t i) { return i; });
  sort_in_place(
      n,
      [&](std::size_t i, std::size_t j) {
        return static_cast<bool>(comp(element(first, static_cast<std::size_t>(element(out, i))),
                                      element(first, static_cast<std::size_t>(element(out, j)))));
      },
      [&](std::size_t i, std::size_t j) { swap_elements(out, i, j); });
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/merge_sort.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>

// The route that needs no memory: merging by rotation, O(n log^2 n). It sees positions only,
// through less(i, j) and swap(i, j), so one code serves elements, proxies, and keys with their
// values.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

template <class Less, class Swap>
class in_place_sorter {
 public:
  in_place_sorter(const Less& less, const Swap& swap, std::size_t grain)
      : less_(less), swap_(swap), grain_(grain) {}

  /// Sorts stably; the result is a permutation for any answers of less, and when it throws.
  void sort(std::size_t first, std::size_t last) const {
    if (last - first <= insertion_size) return insert_each(first, last);
    const std::size_t middle = first + (last - first) / 2;
    in_tasks(
        last - first, [&] { sort(first, middle); }, [&] { sort(middle, last); });
    merge(first, middle, last);
  }

  /// Merges by halving: each half gets at most three quarters of the elements, so the recursion is
  /// not deep and ends.
  void merge(std::size_t first, std::size_t middle, std::size_t last) const {
    if (first == middle || middle == last || !less_(middle, middle - 1)) return;
    if (last - first == 2) return swap_(first, middle);
    std::size_t left_cut;
    std::size_t right_cut;
    if (middle - first >= last - middle) {
      left_cut = first + (middle - first) / 2;
      right_cut = first_failing(middle, last, [&](std::size_t i) { return less_(i, left_cut); });
    } else {
      right_cut = middle + (last - middle) / 2;
      left_cut = first_failing(first, middle, [&](std::size_t i) { return !less_(right_cut, i); });
    }
    rotate(left_cut, middle, right_cut);
    const std::size_t cut = left_cut + (right_cut - middle);
    in_tasks(
        last - first, [&] { merge(first, left_cut, cut); }, [&] { merge(cut, right_cut, last); });
  }

 private:
  static constexpr std::size_t insertion_size = 12;

  void insert_each(std::size_t first, std::size_t last) const {
    for (std::size_t i = first + 1; i < last; ++i) {
      for (std::size_t j = i; j > first && less_(j, j - 1); --j) swap_(j, j - 1);
    }
  }

  void rotate(std::size_t first, std::size_t middle, std::size_t last) const {
    if (first == middle || middle == last) return;
    reverse(first, middle);
    reverse(middle, last);
    reverse(first, last);
  }

  void reverse(std::size_t first, std::size_t last) const {
    while (last - first > 1) swap_(first++, --last);
  }

  void in_tasks(std::size_t n, task_ref first, task_ref second) const {
    if (n > grain_) return fork_join(first, second);
    first();
    second();
  }

  const Less& less_;
  const Swap& swap_;
  std::size_t grain_;
};

template <class Less, class Swap>
void sort_in_place(std::size_t n, const Less& less, const Swap& swap) {
  const in_place_sorter<Less, Swap> sorter(less, swap, grain_of(n, sort_task_size));
  isolated([&] { sorter.sort(0, n); });
}

/// Sorts keys and values by the keys.
template <class KeyIt, class Compare, class... ValueIts>
void sort_ranges_in_place(KeyIt first, std::size_t n, Compare& comp, ValueIts... values) {
  sort_in_place(
      n,
      [&](std::size_t i, std::size_t j) {
        return static_cast<bool>(comp(element(first, i), element(first, j)));
      },
      [&](std::size_t i, std::size_t j) {
        swap_elements(first, i, j);
        (swap_elements(values, i, j), ...);
      });
}

/// Sorts stably: by merging with scratch, or in place where there is none.
template <class T, class Compare>
void sort_elements(T* first, std::size_t n, Compare& comp) {
  if (!merge_sort(first, n, comp)) sort_ranges_in_place(first, n, comp);
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/in_place.hpp>
#include <gpusort/detail/host/merge.hpp>
#include <gpusort/detail/host/merged.hpp>
#include <gpusort/detail/host/multiway_merge.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/runs.hpp>
#include <gpusort/detail/host/task.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

// Merging on the CPU; what sort.hpp says of the backend holds here too. All merges are stable,
// elements of a run of lower number first. Elements are converted to the output's type and then
// compared. The runs are only read, so they are intact when comp throws; the output overlaps
// nothing.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

template <class Compare, class CountOf, class Keys, class... Values>
void merge_columns(std::size_t k, std::size_t n, const CountOf& count_of, Compare& comp,
                   const Keys& keys, const Values&... values) {
  using merged = merged_t<Compare, Keys, Values...>;
  multiway_merger<merged>::run(merged(comp, keys, values...), k, n, count_of);
}

template <class FirstIt, class SecondIt, class OutIt, class Compare>
OutIt merge(FirstIt a, std::size_t a_count, SecondIt b, std::size_t b_count, OutIt out,
            Compare comp) {
  using T = value_t<OutIt>;
  using source = elements_of_two<T, FirstIt, SecondIt>;
  const std::size_t n = a_count + b_count;
  if constexpr (source::is_contiguous && std::is_pointer_v<OutIt> && copies_as_bytes_v<T>) {
    const std::size_t grain = grain_of(n, sort_task_size);
    const merge_job<T> job{a, a_count, b, b_count, out};
    if (a_count == 0 || b_count == 0) {
      copy_parallel(out, a, a_count);
      copy_parallel(out + a_count, b, b_count);
    } else {
      isolated_above(grain, n, [&] { merge_runs(job, grain, comp); });
    }
  } else {
    const auto count_of = [&](std::size_t i) { return i == 0 ? a_count : b_count; };
    merge_columns(2, n, count_of, comp, merged_column<source, OutIt>{{a, b}, out});
  }
  return advanced(out, n);
}

template <class FirstKeyIt, class SecondKeyIt, class FirstIt, class SecondIt, class KeyOutIt,
          class OutIt, class Compare>
void merge_by_key(FirstKeyIt a_keys, std::size_t a_count, SecondKeyIt b_keys, std::size_t b_count,
                  FirstIt a_values, SecondIt b_values, KeyOutIt keys_out, OutIt values_out,
                  Compare comp) {
  using keys = elements_of_two<value_t<KeyOutIt>, FirstKeyIt, SecondKeyIt>;
  using values = elements_of_two<value_t<OutIt>, FirstIt, SecondIt>;
  merge_columns(
      2, a_count + b_count, [&](std::size_t i) { return i == 0 ? a_count : b_count; }, comp,
      merged_column<keys, KeyOutIt>{{a_keys, b_keys}, keys_out},
      merged_column<values, OutIt>{{a_values, b_values}, values_out});
}

template <class It>
std::size_t total_count(const run<It>* runs, std::size_t k) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < k; ++i) n += runs[i].count;
  return n;
}

template <class It, class OutIt, class Compare>
void multiway_merge(const run<It>* runs, std::size_t k, OutIt out, Compare comp) {
  using source = elements_of_runs<value_t<OutIt>, It>;
  merge_columns(
      k, total_count(runs, k), [&](std::size_t i) { return runs[i].count; }, comp,
      merged_column<source, OutIt>{{runs}, out});
}

/// Merges runs and their values; those of run i begin at values[i].first.
template <class KeyIt, class It, class KeyOutIt, class OutIt, class Compare>
void multiway_merge_by_key(const run<KeyIt>* runs, const run<It>* values, std::size_t k,
                           KeyOutIt keys_out, OutIt values_out, Compare comp) {
  using keys = elements_of_runs<value_t<KeyOutIt>, KeyIt>;
  using columns = elements_of_runs<value_t<OutIt>, It>;
  merge_columns(
      k, total_count(runs, k), [&](std::size_t i) { return runs[i].count; }, comp,
      merged_column<keys, KeyOutIt>{{runs}, keys_out},
      merged_column<columns, OutIt>{{values}, values_out});
}

/// Merges where the elements are, through room for all of them. False, and nothing done, where that
/// cannot be allocated.
template <class It, class Compare>
bool merge_through_scratch(It first, std::size_t middle, std::size_t n, Compare& comp) {
  using T = value_t<It>;
  constexpr bool is_contiguous = std::is_pointer_v<It>;
  const scratch memory = scratch::of<T>(n);
  const scratch gathered = scratch::of<T>(is_contiguous ? 0 : n);
  if (!memory || (!is_contiguous && !gathered)) return false;
  T* const merged = memory.as<T>();
  const T* from;
  if constexpr (is_contiguous) {
    from = first;
  } else {
    T* const to = gathered.as<T>();
    for_each_index(n, [=](std::size_t i) { take_out(first, i, to + i); });
    from = to;
  }
  const merge_job<T> job{from, middle, from + middle, n - middle, merged};
  const std::size_t grain = grain_of(n, sort_task_size);
  isolated_above(grain, n, [&] { merge_runs(job, grain, comp); });
  if constexpr (is_contiguous) {
    copy_parallel(first, merged, n);
  } else {
    for_each_index(n, [=](std::size_t i) { put_back(first, i, merged + i); });
  }
  return true;
}

/// Merges in place; the result is a permutation also when comp throws. What is in place at both
/// ends is left alone.
template <class It, class Compare>
void inplace_merge(It first, std::size_t middle, std::size_t n, Compare comp) {
  if (middle == 0 || middle == n) return;
  const auto less = [&](std::size_t i, std::size_t j) {
    return static_cast<bool>(comp(element(first, i), element(first, j)));
  };
  const std::size_t begin =
      first_failing(0, middle, [&](std::size_t i) { return !less(middle, i); });
  if (begin == middle) return;
  const std::size_t end =
      first_failing(middle, n, [&](std::size_t i) { return less(i, middle - 1); });
  if (end == middle) return;
  if (merge_through_scratch(advanced(first, begin), middle - begin, end - begin, comp)) return;
  const auto swap = [&](std::size_t i, std::size_t j) { swap_elements(first, i, j); };
  const in_place_sorter<decltype(less), decltype(swap)> sorter(
      less, swap, grain_of(end - begin, sort_task_size));
  isolated([&] { sorter.merge(begin, middle, end); });
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/detail/host/task.hpp>
#include <tuple>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Segments of ranges, divided among tasks so that each has about as many elements.
template <class BeginIt, class EndIt, class Compare, class KeyIt, class... ValueIts>
class segment_sorter {
 public:
  segment_sorter(BeginIt begins, EndIt ends, std::size_t grain, Compare& comp, KeyIt keys,
                 ValueIts... values)
      : begins_(begins), ends_(ends), grain_(grain), comp_(comp), ranges_(keys, values...) {}

  /// Sorts segments [begin, end).
  void sort(std::size_t begin, std::size_t end) const {
    if (end - begin > 1 && work_until(end) - work(begin) > grain_) {
      const std::size_t middle = middle_of(begin, end);
      return fork_join([&] { sort(begin, middle); }, [&] { sort(middle, end); });
    }
    for (std::size_t i = begin; i < end; ++i) sort_segment(i);
  }

  /// Returns the work before a segment: elements, and something for each segment, so that empty
  /// ones count.
  std::size_t work(std::size_t segment) const { return begin_of(segment) + segment; }
  /// Returns the work before the end of the segments in front of one.
  std::size_t work_until(std::size_t segment) const { return end_of(segment - 1) + segment; }

 private:
  std::size_t begin_of(std::size_t i) const {
    return static_cast<std::size_t>(element(begins_, i));
  }
  std::size_t end_of(std::size_t i) const { return static_cast<std::size_t>(element(ends_, i)); }

  /// Returns where the first half of the work of at least two segments ends; both parts have one.
  std::size_t middle_of(std::size_t begin, std::size_t end) const {
    const std::size_t half = work(begin) + (work_until(end) - work(begin)) / 2;
    return first_failing(begin + 1, end - 1, [&](std::size_t i) { return work(i) < half; });
  }

  void sort_segment(std::size_t i) const {
    const std::size_t first = begin_of(i), n = end_of(i) - first;
    std::apply(
        [&](auto keys, auto... values) {
          if constexpr (std::is_pointer_v<KeyIt> && sizeof...(values) == 0) {
            stable_sort(keys + first, n, comp_);
          } else {
            stable_sort_by_key(advanced(keys, first), n, comp_, advanced(values, first)...);
          }
        },
        ranges_);
  }

  BeginIt begins_;
  EndIt ends_;
  std::size_t grain_;
  Compare& comp_;
  std::tuple<KeyIt, ValueIts...> ranges_;
};

/// Sorts each of the k > 0 segments, from begins[i] to ends[i], by the keys; stable. Each
/// ends before the next begins. Several at a time, and long ones by several tasks.
template <class BeginIt, class EndIt, class Compare, class KeyIt, class... ValueIts>
void stable_segmented_sort(BeginIt begins, EndIt ends, std::size_t k, Compare comp, KeyIt keys,
                           ValueIts... values) {
  const auto first = static_cast<std::size_t>(element(begins, 0));
  const auto n = static_cast<std::size_t>(element(ends, k - 1)) - first + k;
  const std::size_t grain = grain_of(n, sort_task_size);
  const segment_sorter<BeginIt, EndIt, Compare, KeyIt, ValueIts...> sorter(begins, ends, grain,
                                                                           comp, keys, values...);
  isolated_above(grain, n, [&] { sorter.sort(0, k); });
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

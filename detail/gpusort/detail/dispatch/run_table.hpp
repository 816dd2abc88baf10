// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <class T, class = void>
struct is_run : std::false_type {};
template <class T>
struct is_run<T, std::void_t<decltype(std::declval<const T&>().first),
                             decltype(std::declval<const T&>().second)>>
    : std::conjunction<is_iterator<std::decay_t<decltype(std::declval<const T&>().first)>>,
                       std::is_same<std::decay_t<decltype(std::declval<const T&>().first)>,
                                    std::decay_t<decltype(std::declval<const T&>().second)>>> {};

/// The iterator of runs that are given as pairs.
template <class RunIterator>
using run_iterator_t = std::decay_t<decltype(std::declval<const value_t<RunIterator>&>().first)>;

/// The sorted runs of a call: parts of one range or of several.
template <class... Iterators>
struct run_table {
  struct run {
    std::size_t range;
    std::uint64_t begin;
    std::uint64_t count;
  };

  std::vector<columns<Iterators...>> ranges;
  std::vector<run> runs;
  std::uint64_t n = 0;

  /// Whether the runs of one range are not listed, as they will be sorted, not merged.
  bool are_unlisted() const { return runs.empty() && n > 0; }

  /// Returns the bits of a choice among the runs, each as likely as it is long: log2(k) where they
  /// are equally long. Merging takes as many comparisons for each element.
  double bits_of_choice() const {
    double sum = 0;
    for (const run& r : runs) {
      const auto count = static_cast<double>(r.count);
      if (r.count > 0) sum += count * (std::log2(static_cast<double>(n)) - std::log2(count));
    }
    return n > 0 ? sum / static_cast<double>(n) : 0;
  }

  void add_range(std::uint64_t count, Iterators... first) {
    runs.push_back({ranges.size(), 0, count});
    ranges.push_back({std::tuple<Iterators...>(first...), count});
    n += count;
  }

  template <std::size_t Column>
  auto first_of(const run& r) const {
    return end_of(std::get<Column>(ranges[r.range].first), r.begin);
  }
};

/// Reads descriptors of runs in host memory. Those on the device, or in managed memory, which the
/// device may still have to write, are copied in the order of the stream; the call waits for that.
template <class Call, class Iterator>
std::vector<value_t<Iterator>> read_descriptors([[maybe_unused]] const Call& call, Iterator first,
                                                std::uint64_t count) {
  if (count == 0) return {};
#if GPUSORT_CUDA
  if (device_count() > 0) {
    const pointer_kind kind = kind_of_range(first);
    if (!kind.on_host()) {
      std::vector<value_t<Iterator>> descriptors(count);
      run_on_device(call, [&](const Call& own) {
        with_device_ranges(
            own, waits_always,
            [&](completion*, const auto& range) {
              copy_to_host(descriptors.data(), range.data(), count * sizeof(value_t<Iterator>), {},
                           own.stream);
            },
            use<access::read>(first, count, kind));
      });
      return descriptors;
    }
  }
#endif
  return std::vector<value_t<Iterator>>(first, end_of(first, count));
}

/// Returns the runs of pairs of iterators.
template <class Call, class RunIterator>
run_table<run_iterator_t<RunIterator>> runs_of_pairs(const Call& call, RunIterator first,
                                                     RunIterator last) {
  run_table<run_iterator_t<RunIterator>> table;
  for (const auto& run : read_descriptors(call, first, length_of(first, last))) {
    table.add_range(length_of(run.first, run.second), run.first);
  }
  return table;
}

/// Returns the runs of pairs of iterators of keys, and for each the beginning of its values.
template <class Call, class RunIterator, class ValueIterators>
run_table<run_iterator_t<RunIterator>, value_t<ValueIterators>> runs_of_pairs(
    const Call& call, RunIterator first, RunIterator last, ValueIterators values_first) {
  run_table<run_iterator_t<RunIterator>, value_t<ValueIterators>> table;
  const auto runs = read_descriptors(call, first, length_of(first, last));
  const auto values = read_descriptors(call, values_first, runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    table.add_range(length_of(runs[i].first, runs[i].second), runs[i].first, values[i]);
  }
  return table;
}

template <class Offset>
void require_first_offset([[maybe_unused]] Offset first) {
  if constexpr (std::is_signed_v<Offset>) {
    if (first < 0) {
      refuse("an offset of the runs is negative; offsets count from the beginning of the range");
    }
  }
}

template <class Offset>
void require_ascending_offsets(Offset earlier, Offset later) {
  if (later < earlier) {
    refuse("the offsets of the runs decrease; pass k + 1, none less than the one before");
  }
}

/// The runs are listed, however many there are.
struct never_sorts {
  static constexpr bool is_possible = false;
};

/// Returns the run between each two neighbouring offsets into the ranges. Where Sort takes them
/// sooner than they are merged, they are not listed. Only the first and the last offset are read
/// where their number alone says so.
template <class Sort, class Call, class OffsetIterator, class... Iterators>
run_table<Iterators...> runs_between(const Call& call, OffsetIterator first, OffsetIterator last,
                                     Iterators... data) {
  run_table<Iterators...> table;
  const std::uint64_t count = length_of(first, last);
  if (count == 0) return table;
  const auto add_range = [&](std::uint64_t begin) {
    table.ranges.push_back({std::tuple<Iterators...>(end_of(data, begin)...), table.n});
  };
#if GPUSORT_CUDA
  if constexpr (Sort::is_possible) {
    if (count > Sort::least_runs && device_count() > 0) {
      const auto begin = read_descriptors(call, first, 1)[0];
      const auto end = read_descriptors(call, end_of(first, count - 1), 1)[0];
      require_first_offset(begin);
      require_ascending_offsets(begin, end);
      const auto n = static_cast<std::uint64_t>(end - begin);
      if (Sort::is_sooner(n, count - 1, 0)) {
        table.n = n;
        add_range(static_cast<std::uint64_t>(begin));
        return table;
      }
    }
  }
#endif
  const auto offsets = read_descriptors(call, first, count);
  require_first_offset(offsets[0]);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    require_ascending_offsets(offsets[i - 1], offsets[i]);
    const auto count = static_cast<std::uint64_t>(offsets[i] - offsets[i - 1]);
    table.runs.push_back({0, table.n, count});
    table.n += count;
  }
  add_range(static_cast<std::uint64_t>(offsets[0]));
#if GPUSORT_CUDA
  if constexpr (Sort::is_possible) {
    const std::uint64_t k = table.runs.size();
    if (k >= Sort::least_runs && device_count() > 0 &&
        Sort::is_sooner(table.n, k, table.bits_of_choice())) {
      table.runs.clear();
    }
  }
#endif
  return table;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

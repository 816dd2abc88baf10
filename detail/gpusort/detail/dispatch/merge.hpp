// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/memory/keep_input.hpp>
#include <gpusort/detail/dispatch/memory/on_host.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/run_table.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/merge_ranges.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_merge.hpp>
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Names what may sort the runs of a merge on a device, where they are many.
#if GPUSORT_CUDA
template <class Call, class Compare, class... Ts>
using run_sorter =
    sort_of_runs<std::remove_cv_t<Call>, std::remove_cv_t<Compare>, std::remove_cv_t<Ts>...>;
#else
template <class Call, class Compare, class... Ts>
using run_sorter = never_sorts;
#endif

/// Calls body with an iterator of elements of type T: the output, or, where that takes anything,
/// memory from which it gets them.
template <class T, class Iterator, class Body>
void with_host_output(Iterator out, std::uint64_t n, Body body) {
  if constexpr (takes_anything_v<Iterator>) {
    const std::unique_ptr<raw_storage<T>[]> memory(new raw_storage<T>[n]);
    T* const merged = reinterpret_cast<T*>(memory.get());
    body(merged);
    for (std::uint64_t i = 0; i < n; ++i) *end_of(out, i) = merged[i];
  } else {
    body(host_iterator(out));
  }
}

template <class A, class B, class Out, class Compare>
void host_merge(const columns<A>& a, const columns<B>& b, const columns<Out>& out,
                Compare compare) {
  with_host_output<merged_t<Out, A>>(std::get<0>(out.first), out.n, [&](auto to) {
    host::merge(host_iterator(std::get<0>(a.first), a.n), a.n,
                host_iterator(std::get<0>(b.first), b.n), b.n, to, compare);
  });
}

template <class A, class AValues, class B, class BValues, class Out, class OutValues, class Compare>
void host_merge(const columns<A, AValues>& a, const columns<B, BValues>& b,
                const columns<Out, OutValues>& out, Compare compare) {
  with_host_output<merged_t<Out, A>>(std::get<0>(out.first), out.n, [&](auto keys) {
    with_host_output<merged_t<OutValues, AValues>>(std::get<1>(out.first), out.n, [&](auto values) {
      host::merge_by_key(host_iterator(std::get<0>(a.first), a.n), a.n,
                         host_iterator(std::get<0>(b.first), b.n), b.n,
                         host_iterator(std::get<1>(a.first), a.n),
                         host_iterator(std::get<1>(b.first), b.n), keys, values, compare);
    });
  });
}

/// Returns one column of all runs.
template <std::size_t Column, class Table>
auto host_runs(const Table& table) {
  using iterator = decltype(host_iterator(table.template first_of<Column>(table.runs[0])));
  std::vector<host::run<iterator>> runs;
  for (const auto& r : table.runs) {
    const auto first = table.template first_of<Column>(r);
    runs.push_back({host_iterator(first, r.count), static_cast<std::size_t>(r.count)});
  }
  return runs;
}

template <class Iterator, class Out, class Compare>
void host_multiway_merge(const run_table<Iterator>& table, const columns<Out>& out,
                         Compare compare) {
  const auto runs = host_runs<0>(table);
  with_host_output<merged_t<Out, Iterator>>(std::get<0>(out.first), out.n, [&](auto to) {
    host::multiway_merge(runs.data(), runs.size(), to, compare);
  });
}

template <class Keys, class Values, class Out, class OutValues, class Compare>
void host_multiway_merge(const run_table<Keys, Values>& table, const columns<Out, OutValues>& out,
                         Compare compare) {
  const auto runs = host_runs<0>(table);
  std::vector<decltype(host_runs<1>(table)[0].first)> values;
  for (const auto& run : host_runs<1>(table)) values.push_back(run.first);
  with_host_output<merged_t<Out, Keys>>(std::get<0>(out.first), out.n, [&](auto keys_out) {
    with_host_output<merged_t<OutValues, Values>>(
        std::get<1>(out.first), out.n, [&](auto values_out) {
          host::multiway_merge_by_key(runs.data(), values.data(), runs.size(), keys_out, values_out,
                                      compare);
        });
  });
}

/// Merges a and b, which may have values, into `out`, of the length of both.
template <class Call, class Compare, class... A, class... B, class... Out>
void merge_ranges([[maybe_unused]] const Call& call, const columns<A...>& a, const columns<B...>& b,
                  const columns<Out...>& out, const Compare& compare) {
  if (out.n == 0) return;
  reject_output_overlap(out, a);
  reject_output_overlap(out, b);
  reject_output_overlap_of(out);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) { merge_on_device(own, a, b, out, compare); });
  }
#endif
  run_on_host<Call, A..., B..., Out...>(compare,
                                        [&](auto callable) { host_merge(a, b, out, callable); });
}

#if GPUSORT_CUDA

/// Merges of calls with limits: dispatch/external/merge.hpp.
template <class Call, class Compare, class Iterator, class Out>
void merge_runs_within_limits(const Call& call, const run_table<Iterator>& table,
                              const columns<Out>& out, const Compare& compare);

template <class Call, class Compare, class... Iterators, class... Outs>
void merge_runs_with_device(const Call& call, const run_table<Iterators...>& table,
                            const columns<Outs...>& out, const Compare& compare) {
  if constexpr (Call::is_limited && sizeof...(Outs) == 1) {
    merge_runs_within_limits(call, table, out, compare);
  } else {
    multiway_merge_on_device(call, table, out, compare);
  }
}

#endif

/// Merges the runs, which may have values, into the range that begins at `first`.
template <class Call, class Compare, class... Iterators, class... Outs>
void merge_runs([[maybe_unused]] const Call& call, const run_table<Iterators...>& table,
                const Compare& compare, Outs... first) {
  if (table.n == 0) return;
  const columns<Outs...> out{std::tuple<Outs...>(first...), table.n};
  for (const auto& range : table.ranges) reject_output_overlap(out, range);
  reject_output_overlap_of(out);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(
        call, [&](const Call& own) { merge_runs_with_device(own, table, out, compare); });
  }
#endif
  run_on_host<Call, Iterators..., Outs...>(
      compare, [&](auto callable) { host_multiway_merge(table, out, callable); });
}

template <class Call, class Compare, class Iterator, class PositionIterator>
void select_in_runs([[maybe_unused]] const Call& call, const run_table<Iterator>& table,
                    std::uint64_t rank, PositionIterator positions, const Compare& compare) {
  using position = value_t<PositionIterator>;
  if (rank > table.n) {
    refuse("the rank is beyond the last element; it is at most the number of elements of all runs");
  }
  if (rank > static_cast<std::uint64_t>((std::numeric_limits<position>::max)())) {
    refuse("the type of the positions is too small for the rank; write them to wider integers");
  }
  if (table.runs.empty()) return;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      multiway_select_on_device(own, table, rank, positions, compare);
    });
  }
#endif
  run_on_host<Call, Iterator, PositionIterator>(compare, [&](auto callable) {
    const auto runs = host_runs<0>(table);
    std::vector<std::size_t> found(runs.size());
    host::multiway_select(runs.data(), runs.size(), rank, found.data(), callable);
    for (std::size_t i = 0; i < found.size(); ++i) {
      *end_of(positions, i) = static_cast<position>(found[i]);
    }
  });
}

/// Merges the sorted ranges [first, middle) and [middle, last) into [first, last).
template <class Call, class Compare, class Iterator>
void merge_in_place([[maybe_unused]] const Call& call, Iterator first, Iterator middle,
                    Iterator last, const Compare& compare) {
  const std::uint64_t n = length_of(first, last);
  if (middle < first || last < middle) {
    refuse("middle is not between first and last; pass the end of the first run");
  }
  const std::uint64_t a = length_of(first, middle);
  if (a == 0 || a == n) return;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const Call& own) {
      if constexpr (is_reverse<Iterator>::value) {
        // Forwards, the runs are in the opposite order.
        inplace_merge_on_device(own, last.base(), n - a, n, backwards(compare));
      } else {
        inplace_merge_on_device(own, first, a, n, compare);
      }
    });
  }
#endif
  run_on_host<Call, Iterator>(
      compare, [&](auto callable) { host::inplace_merge(host_iterator(first), a, n, callable); });
}

// Merges under verify and keep_input.

template <class... Outs>
struct verified_merge {
  /// Checks the inputs that are read out of ranges with such iterators.
  template <class... Iterators>
  static constexpr void require_inputs() {
    (require_readable_output<Outs>(), ...);
    (require_checksum<value_t<Outs>, Iterators, Outs>(), ...);
  }
};

template <class Call, class Compare, class... A, class... B, class... Out>
void merge_ranges(const verified_call<Call>& call, const columns<A...>& a, const columns<B...>& b,
                  const columns<Out...>& out, const Compare& compare) {
  verified_merge<Out...>::template require_inputs<A...>();
  verified_merge<Out...>::template require_inputs<B...>();
  if (out.n == 0) return;
  verify_result(
      call, out, no_offsets{}, compare,
      [&](auto f) {
        f(a);
        f(b);
      },
      [&](const Call& plain) { merge_ranges(plain, a, b, out, compare); });
}

template <class Call, class Compare, class... Iterators, class... Outs>
void merge_runs(const verified_call<Call>& call, const run_table<Iterators...>& table,
                const Compare& compare, Outs... first) {
  verified_merge<Outs...>::template require_inputs<Iterators...>();
  if (table.n == 0) return;
  const columns<Outs...> out{std::tuple<Outs...>(first...), table.n};
  verify_result(
      call, out, no_offsets{}, compare,
      [&](auto f) {
        for (const auto& range : table.ranges) f(range);
      },
      [&](const Call& plain) { merge_runs(plain, table, compare, first...); });
}

template <class Call, class Compare, class Iterator>
void merge_in_place(const verified_call<Call>& call, Iterator first, Iterator middle, Iterator last,
                    const Compare& compare) {
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  verify_in_place(call, columns<Iterator>{{first}, n}, no_offsets{}, compare,
                  [&](const Call& plain) { merge_in_place(plain, first, middle, last, compare); });
}

template <class Call, class Compare, class Iterator>
void merge_in_place(const keeping_call<Call>& call, Iterator first, Iterator middle, Iterator last,
                    const Compare& compare) {
  const std::uint64_t n = length_of(first, last), a = length_of(first, middle);
  if (n == 0) return;
  on_kept_copies(
      n,
      [&](auto range) {
        merge_in_place(without_keeping(call), range, end_of(range, a), end_of(range, n), compare);
      },
      first);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

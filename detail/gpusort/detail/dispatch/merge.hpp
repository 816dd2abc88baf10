// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/dispatch/options.hpp>
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
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/merge_on_device.hpp>
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
  const auto values = host_runs<1>(table);
  with_host_output<merged_t<Out, Keys>>(std::get<0>(out.first), out.n, [&](auto keys_out) {
    with_host_output<merged_t<OutValues, Values>>(
        std::get<1>(out.first), out.n, [&](auto values_out) {
          host::multiway_merge_by_key(runs.data(), values.data(), runs.size(), keys_out, values_out,
                                      compare);
        });
  });
}

/// Checks what verify asks of an output, and of inputs with such iterators.
template <class... Outs>
struct verified_merge {
  template <class... Iterators>
  static constexpr void require_inputs() {
    (require_readable_output<Outs>(), ...);
    (require_checksum<value_t<Outs>, Iterators, Outs>(), ...);
  }
};

/// Merges a and b, which may have values, into `out`, of the length of both, which is not 0.
template <class Compare, class A, class B, class Out>
struct merge_operation;

template <class Compare, class... A, class... B, class... Outs>
struct merge_operation<Compare, columns<A...>, columns<B...>, columns<Outs...>> : operation_traits {
  columns<A...> a;
  columns<B...> b;
  columns<Outs...> out;
  Compare compare;

  auto proof() const {
    verified_merge<Outs...>::template require_inputs<A...>();
    verified_merge<Outs...>::template require_inputs<B...>();
    return proof_of_result(out, compare, std::tuple<columns<A...>, columns<B...>>(a, b));
  }

  template <class Call>
  bool has_work() const {
    reject_output_overlap(out, a);
    reject_output_overlap(out, b);
    reject_output_overlap_of(out);
    return true;
  }

#if GPUSORT_CUDA
  template <class Call>
  void with_device(const Call& call) const {
    merge_on_device(call, a, b, out, compare);
  }
#endif

  template <class Call>
  void without_device() const {
    run_on_host<Call, A..., B..., Outs...>(compare,
                                           [&](auto callable) { host_merge(a, b, out, callable); });
  }
};

/// Merges a and b, which may have values, into `out`, of the length of both.
template <class Call, class Compare, class... A, class... B, class... Out>
void merge_ranges(const Call& call, const columns<A...>& a, const columns<B...>& b,
                  const columns<Out...>& out, const Compare& compare) {
  if (out.n == 0) return;
  run_call(call, merge_operation<Compare, columns<A...>, columns<B...>, columns<Out...>>{
                     {}, a, b, out, compare});
}

#if GPUSORT_CUDA

/// Merges in calls with limits: dispatch/external/in_pieces.hpp.
template <class Call, class Compare, class Iterator, class Out>
void merge_runs_within_limits(const Call& call, const run_table<Iterator>& table,
                              const columns<Out>& out, const Compare& compare);

#endif

/// Merges the runs, which may have values, into `out`.
template <class Compare, class Table, class Out>
struct multiway_merge_operation;

template <class Compare, class... Iterators, class... Outs>
struct multiway_merge_operation<Compare, run_table<Iterators...>, columns<Outs...>>
    : operation_traits {
  static constexpr bool may_be_in_pieces = sizeof...(Outs) == 1;

  const run_table<Iterators...>& table;
  columns<Outs...> out;
  Compare compare;

  auto proof() const {
    using inputs = std::vector<columns<Iterators...>>;
    verified_merge<Outs...>::template require_inputs<Iterators...>();
    return proof_of_ranges<Compare, no_offsets, const inputs&, Outs...>{
        out, {}, compare, table.ranges};
  }

  template <class Call>
  bool has_work() const {
    for (const auto& range : table.ranges) reject_output_overlap(out, range);
    reject_output_overlap_of(out);
    return true;
  }

#if GPUSORT_CUDA
  template <class Call>
  void in_pieces(const Call& call) const {
    merge_runs_within_limits(call, table, out, compare);
  }

  template <class Call>
  void with_device(const Call& call) const {
    multiway_merge_on_device(call, table, out, compare);
  }
#endif

  template <class Call>
  void without_device() const {
    run_on_host<Call, Iterators..., Outs...>(
        compare, [&](auto callable) { host_multiway_merge(table, out, callable); });
  }
};

/// Merges the runs, which may have values, into the range that begins at `first`.
template <class Call, class Compare, class... Iterators, class... Outs>
void merge_runs(const Call& call, const run_table<Iterators...>& table, const Compare& compare,
                Outs... first) {
  if (table.n == 0) return;
  const columns<Outs...> out{std::tuple<Outs...>(first...), table.n};
  run_call(call, multiway_merge_operation<Compare, run_table<Iterators...>, columns<Outs...>>{
                     {}, table, out, compare});
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

/// Merges the sorted ranges of the first `middle` and of the other ones of n elements, in place.
template <class Compare, class Iterator>
struct inplace_merge_operation : operation_traits {
  Iterator first;
  std::uint64_t middle;
  std::uint64_t n;
  Compare compare;

  std::tuple<Iterator> overwritten() const { return std::tuple<Iterator>(first); }
  template <class Range>
  inplace_merge_operation<Compare, Range> on(Range range) const {
    return {{}, range, middle, n, compare};
  }

  auto proof() const {
    return proof_in_place(columns<Iterator>{std::tuple<Iterator>(first), n}, no_offsets{}, compare);
  }

  template <class Call>
  bool has_work() const {
    return middle > 0 && middle < n;
  }

#if GPUSORT_CUDA

  static constexpr bool is_backwards = is_reverse<Iterator>::value;

  /// Returns the merge from the other end, where the runs are in the opposite order.
  auto forwards() const {
    const auto last = end_of(first, n).base();
    const auto order = backwards(compare);
    return inplace_merge_operation<std::decay_t<decltype(order)>, std::decay_t<decltype(last)>>{
        {}, last, n - middle, n, order};
  }

  template <class Call>
  void with_device(const Call& call) const {
    inplace_merge_on_device(call, first, middle, n, compare);
  }

#endif

  template <class Call>
  void without_device() const {
    run_on_host<Call, Iterator>(compare, [&](auto callable) {
      host::inplace_merge(host_iterator(first), middle, n, callable);
    });
  }
};

/// Merges the sorted ranges [first, middle) and [middle, last) into [first, last).
template <class Call, class Compare, class Iterator>
void merge_in_place(const Call& call, Iterator first, Iterator middle, Iterator last,
                    const Compare& compare) {
  const std::uint64_t n = length_of(first, last);
  if (middle < first || last < middle) {
    refuse("middle is not between first and last; pass the end of the first run");
  }
  if (n == 0) return;
  run_call(call, inplace_merge_operation<Compare, Iterator>{
                     {}, first, length_of(first, middle), n, compare});
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

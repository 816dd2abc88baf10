// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/detail/router/plan.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/linked_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

template <bool Stable, class Compare, class KeyIterator, class... ValueIterators>
struct sort_operation;
template <class Compare, class Iterator, class OutIterator>
struct sort_into_operation;

/// Sorts on the CPU; always stable.
template <class KeyIterator, class Compare, class... ValueIterators>
void host_sort(KeyIterator first, std::uint64_t n, const Compare& compare,
               ValueIterators... values) {
  if constexpr (sizeof...(ValueIterators) == 0 &&
                std::is_pointer_v<decltype(host_iterator(first))>) {
    host::stable_sort(host_iterator(first), n, compare);
  } else {
    host::stable_sort_by_key(host_iterator(first), n, compare, host_iterator(values)...);
  }
}

#if GPUSORT_CUDA

/// Names what sorts a range on a device, and its values: by its fields, or as elements, which are
/// moved whole.
template <class Call, bool Stable, class Compare, class KeyIterator, class... ValueIterators>
struct sorts_of_range {
  using key = representative_key_t<Compare, value_t<KeyIterator>>;
  using problem = problem_of<Call, Stable, false, Compare, key,
                             representative_value_t<value_t<ValueIterators>>...>;
  using as_elements =
      compiled_sort<problem, key, Compare, representative_value_t<value_t<ValueIterators>>...>;
  using request = sort_request<key, Compare, representative_value_t<value_t<ValueIterators>>...>;
  using by_field = field_sort<problem, Compare, KeyIterator>;

  static constexpr bool may_be_by_field = sizeof...(ValueIterators) == 0 && by_field::is_possible();
  /// Tells whether a range of that kind is sorted by its fields.
  static bool is_by_field(pointer_kind kind) { return may_be_by_field && kind.device_accessible(); }
};

/// Sorts in calls with limits: dispatch/external/in_pieces.hpp.
template <class Call, bool Stable, class Compare, class KeyIterator, class... ValueIterators>
void sort_within_limits(
    const Call& call, const sort_operation<Stable, Compare, KeyIterator, ValueIterators...>& sort);
template <class Call, class Compare, class Iterator, class OutIterator>
void sort_into_within_limits(const Call& call,
                             const sort_into_operation<Compare, Iterator, OutIterator>& sort);

#endif

/// Sorts in calls on several devices: <gpusort/devices.hpp>. False where nothing has been done.
template <class Call, bool Stable, class Compare, class KeyIterator, class... ValueIterators>
bool sort_on_several(const spread_call<Call>& call,
                     const sort_operation<Stable, Compare, KeyIterator, ValueIterators...>& sort);

/// Sorts n > 0 keys and, in the same order, the ranges of values.
template <bool Stable, class Compare, class KeyIterator, class... ValueIterators>
struct sort_operation : operation_traits {
  static constexpr bool may_spread = true;
  static constexpr bool may_be_in_pieces = true;

  KeyIterator first;
  std::uint64_t n;
  Compare compare;
  std::tuple<ValueIterators...> values;

  void require_disjoint() const {
    std::apply([&](const auto&... others) { reject_overlaps(n, first, others...); }, values);
  }

  std::tuple<KeyIterator, ValueIterators...> overwritten() const {
    return std::tuple_cat(std::tuple<KeyIterator>(first), values);
  }
  template <class Keys, class... Values>
  sort_operation<Stable, Compare, Keys, Values...> on(Keys keys, Values... others) const {
    return {{}, keys, n, compare, std::tuple<Values...>(others...)};
  }

  auto proof() const {
    return proof_in_place(columns<KeyIterator, ValueIterators...>{overwritten(), n}, no_offsets{},
                          compare);
  }

  template <class Call>
  bool on_several(const Call& call) const {
    return sort_on_several(call, *this);
  }

  template <class Call>
  bool has_work() const {
    require_disjoint();
    return true;
  }

#if GPUSORT_CUDA

  static constexpr bool is_backwards =
      sizeof...(ValueIterators) == 0 && is_reverse<KeyIterator>::value;

  /// Returns the sort from the other end, where the range is in the opposite order. Equivalent
  /// elements stay in the order they have, which is the same in both directions.
  auto forwards() const {
    const auto last = end_of(first, n).base();
    const auto order = backwards(compare);
    return sort_operation<Stable, std::decay_t<decltype(order)>, std::decay_t<decltype(last)>>{
        {}, last, n, order, {}};
  }

  template <class Call>
  void in_pieces(const Call& call) const {
    sort_within_limits(call, *this);
  }

  template <class Call>
  void with_device(const Call& call) const {
    using sorts = sorts_of_range<Call, Stable, Compare, KeyIterator, ValueIterators...>;
    const pointer_kind kind = kind_of_range(first);
    if constexpr (sorts::may_be_by_field) {
      if (sorts::is_by_field(kind)) {
        device_scope<Call> scope(call, kind, false);
        sorts::by_field::run({first, n, compare, stream_of_call(call, scope.awaited())},
                             call.memory);
        return scope.finish();
      }
    }
    auto work = work_on<sorts>(call, kind, std::index_sequence_for<ValueIterators...>{});
    sorts::as_elements::run(request_of<sorts>(call, work), call.memory);
    work.finish();
  }

#endif

  template <class Call>
  void without_device() const {
    run_on_host<Call, KeyIterator, ValueIterators...>(compare, [&](auto callable) {
      std::apply([&](const auto&... others) { host_sort(first, n, callable, others...); }, values);
    });
  }

#if GPUSORT_CUDA
 private:
  template <class Sorts, class Call, std::size_t... Is>
  auto work_on(const Call& call, pointer_kind kind, std::index_sequence<Is...>) const {
    using problem = typename Sorts::problem;
    return device_work(
        call, {}, use<access::update, range_alignment<problem, KeyIterator>>(first, n, kind),
        use<access::update, range_alignment<problem, ValueIterators>>(std::get<Is>(values), n)...);
  }

  template <class Sorts, class Call, class Work>
  typename Sorts::request request_of(const Call& call, Work& work) const {
    const auto request_on = [&](const auto& keys, const auto&... columns) {
      auto* const data = reinterpret_cast<typename Sorts::key*>(keys.data());
      return typename Sorts::request{data,
                                     data,
                                     n,
                                     compare,
                                     {as_representatives(columns.data())...},
                                     stream_of_call(call, work.awaited()),
                                     (keys.is_aligned() && ... && columns.is_aligned())};
    };
    return std::apply(request_on, work.ranges());
  }
#endif
};

/// Sorts n > 0 elements into the range of the same length at `out`; the input stays as it is,
/// unless the two are the same.
template <class Compare, class Iterator, class OutIterator>
struct sort_into_operation : operation_traits {
  static constexpr bool may_be_in_pieces = true;

  Iterator first;
  std::uint64_t n;
  OutIterator out;
  Compare compare;

  bool overwrites_input() const { return is_same_range(first, out, n); }
  void require_disjoint() const { reject_overlaps(n, out); }
  std::tuple<OutIterator> overwritten() const { return std::tuple<OutIterator>(out); }
  template <class Range>
  sort_operation<false, Compare, Range> on(Range range) const {
    return {{}, range, n, compare, {}};
  }

  auto proof() const {
    require_readable_output<OutIterator>();
    require_checksum<value_t<OutIterator>, Iterator, OutIterator>();
    return proof_of_result(columns<OutIterator>{std::tuple<OutIterator>(out), n}, compare,
                           std::make_tuple(columns<Iterator>{std::tuple<Iterator>(first), n}));
  }

  template <class Call>
  bool has_work() const {
    if (!overwrites_input()) reject_overlap_of_output(n, first, out);
    return true;
  }

#if GPUSORT_CUDA

  template <class Call>
  void in_pieces(const Call& call) const {
    sort_into_within_limits(call, *this);
  }

  template <class Call>
  void with_device(const Call& call) const {
    using sorts = sorts_of_range<Call, false, Compare, Iterator>;
    using problem = typename sorts::problem;
    using key = typename sorts::key;
    device_work work(call, {false, overwrites_input()},
                     use<access::write, range_alignment<problem, OutIterator>>(out, n),
                     use<access::read, range_alignment<problem, Iterator>>(first, n));
    const auto& [sorted, in] = work.ranges();
    sorts::as_elements::run({reinterpret_cast<const key*>(in.data()),
                             reinterpret_cast<key*>(sorted.data()),
                             n,
                             compare,
                             {},
                             stream_of_call(call, work.awaited()),
                             in.is_aligned() && sorted.is_aligned()},
                            call.memory);
    work.finish();
  }

#endif

  template <class Call>
  void without_device() const {
    run_on_host<Call, Iterator, OutIterator>(compare, [&](auto callable) {
      std::copy(first, end_of(first, n), out);
      host_sort(out, n, callable);
    });
  }
};

/// Sorts [first, last) and, in the same order, the ranges of values that begin at `values`.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_ranges(const Call& call, KeyIterator first, KeyIterator last, const Compare& compare,
                 ValueIterators... values) {
  require_route<
      problem_of<Call, Stable, false, Compare, value_t<KeyIterator>, value_t<ValueIterators>...>>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  run_call(call, sort_operation<Stable, Compare, KeyIterator, ValueIterators...>{
                     {}, first, n, compare, std::tuple<ValueIterators...>(values...)});
}

/// Sorts [first, last) into the range of the same length at `out`, and returns the end of that.
template <class Call, class Compare, class Iterator, class OutIterator>
OutIterator sort_into(const Call& call, Iterator first, Iterator last, OutIterator out,
                      const Compare& compare) {
  require_route<problem_of<Call, false, false, Compare, value_t<Iterator>>>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return out;
  run_call(call, sort_into_operation<Compare, Iterator, OutIterator>{{}, first, n, out, compare});
  return end_of(out, n);
}

#if GPUSORT_CUDA

/// Whether the routes read and write the range where it is, rather than a copy.
template <class Problem, class Iterator>
bool is_used_as_it_is([[maybe_unused]] Iterator first, [[maybe_unused]] pointer_kind kind) {
  if constexpr (is_contiguous_v<Iterator>) {
    const auto address = reinterpret_cast<std::uintptr_t>(address_of(first));
    return kind.device_accessible() && address % range_alignment<Problem, Iterator> == 0;
  } else {
    return false;
  }
}

/// Runs plan_sort on a device.
template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort_on_device(const Call& call, Iterator first, std::uint64_t n, const Compare&) {
  using sorts = sorts_of_range<Call, Stable, Compare, Iterator>;
  const pointer_kind kind = n > 0 ? kind_of_range(first) : pointer_kind{};
  const device_guard guard(kind, call);
  const device_part part(call.stream, false);
  if constexpr (sorts::may_be_by_field) {
    if (n > 0 && sorts::is_by_field(kind)) return sorts::by_field::plan_for(n);
  }
  plan planned = sorts::as_elements::plan_for(n);
  if (n > 0 && !is_used_as_it_is<typename sorts::problem>(first, kind)) {
    planned.scratch_bytes += n * sizeof(typename sorts::key) + scratch_alignment;
    if constexpr (is_scattered_v<Iterator>) {
      planned.scratch_bytes += scattered_range<Iterator>::max_table_bytes(n) + scratch_alignment;
    }
  }
  return planned;
}

#endif

/// Returns the plan of a sort of the range, and the scratch of the default route, staging included.
template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort([[maybe_unused]] const Call& call, Iterator first, Iterator last,
               [[maybe_unused]] const Compare& compare) {
  [[maybe_unused]] const std::uint64_t n = length_of(first, last);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    plan planned{};
    run_on_device(call, [&](const Call& own) {
      planned = plan_sort_on_device<Stable>(own, first, n, compare);
    });
    // A proof's is used before and after the sort, not at the same time.
    if (Call::is_verified && planned.scratch_bytes < scratch_alignment) {
      planned.scratch_bytes = scratch_alignment;
    }
    return planned;
  }
#endif
  return {route::host_sort, "there is no CUDA device", 1, 0, {}, {}};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

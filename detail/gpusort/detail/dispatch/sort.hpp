// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/dispatch/host_sort.hpp>
#include <gpusort/detail/dispatch/memory/keep_input.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/field_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
#include <gpusort/detail/dispatch/precompiled.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_on_device(const Call& call, KeyIterator first, std::uint64_t n, const Compare& compare,
                    ValueIterators... values) {
  using key = representative_key_t<Compare, value_t<KeyIterator>>;
  using problem = problem_of<Call, Stable, false, Compare, key,
                             representative_value_t<value_t<ValueIterators>>...>;
  using sort =
      compiled_sort<problem, key, Compare, representative_value_t<value_t<ValueIterators>>...>;
  using by_field = field_sort<problem, Compare, KeyIterator>;
  const pointer_kind kind = kind_of_range(first);
  if constexpr (sizeof...(values) == 0 && by_field::is_possible()) {
    if (kind.device_accessible()) {
      device_scope<Call> section(call, kind, false);
      by_field::run(stream_of_call(call, section.awaited()), first, n, compare, call.memory);
      return section.finish();
    }
  }
  with_device_ranges(
      call, {},
      [&](completion* done, const auto& keys, const auto&... columns) {
        auto* const data = reinterpret_cast<key*>(keys.data());
        sort::run({data,
                   data,
                   n,
                   compare,
                   {as_representatives(columns.data())...},
                   stream_of_call(call, done),
                   (keys.is_aligned() && ... && columns.is_aligned())},
                  call.memory);
      },
      use<access::update, range_alignment<problem, KeyIterator>>(first, n, kind),
      use<access::update, range_alignment<problem, ValueIterators>>(values, n)...);
}

/// Sorts of calls with limits: dispatch/external/sort.hpp.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_within_limits(const Call& call, KeyIterator first, std::uint64_t n,
                        const Compare& compare, ValueIterators... values);
template <class Call, class Compare, class Iterator, class OutIterator>
bool sort_into_in_pieces(const Call& call, Iterator first, std::uint64_t n, OutIterator out,
                         const Compare& compare);

/// Runs sort_into on a device.
template <class Call, class Compare, class Iterator, class OutIterator>
void sort_into_on_device(const Call& call, Iterator first, std::uint64_t n, OutIterator out,
                         const Compare& compare) {
  using key = representative_key_t<Compare, value_t<Iterator>>;
  using problem = problem_of<Call, false, false, Compare, key>;
  if constexpr (Call::is_limited) {
    if (sort_into_in_pieces(call, first, n, out, compare)) return;
  }
  with_device_ranges(
      call, {false, is_same_range(first, out, n)},
      [&](completion* done, const auto& sorted, const auto& in) {
        using sort = compiled_sort<problem, key, Compare>;
        sort::run({reinterpret_cast<const key*>(in.data()),
                   reinterpret_cast<key*>(sorted.data()),
                   n,
                   compare,
                   {},
                   stream_of_call(call, done),
                   in.is_aligned() && sorted.is_aligned()},
                  call.memory);
      },
      use<access::write, range_alignment<problem, OutIterator>>(out, n),
      use<access::read, range_alignment<problem, Iterator>>(first, n));
}

#endif

/// Sorts of calls on several devices: <gpusort/devices.hpp>.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_ranges(const spread_call<Call>& call, KeyIterator first, KeyIterator last,
                 const Compare& compare, ValueIterators... values);

/// Sorts [first, last) and, in the same order, the ranges of values that begin at `values`.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_ranges([[maybe_unused]] const Call& call, KeyIterator first, KeyIterator last,
                 const Compare& compare, ValueIterators... values) {
  require_route<
      problem_of<Call, Stable, false, Compare, value_t<KeyIterator>, value_t<ValueIterators>...>>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  reject_overlaps(n, first, values...);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    if constexpr (sizeof...(ValueIterators) == 0 && is_reverse<KeyIterator>::value) {
      // Forwards, the range is in the opposite order. Equivalent elements stay in the order they
      // have, which is the same in both directions.
      return sort_ranges<Stable>(call, last.base(), first.base(), backwards(compare));
    } else {
      return run_on_device(call, [&](const Call& own) {
        if constexpr (Call::is_limited) {
          sort_within_limits<Stable>(own, first, n, compare, values...);
        } else {
          sort_on_device<Stable>(own, first, n, compare, values...);
        }
      });
    }
  }
#endif
  run_on_host<Call, KeyIterator, ValueIterators...>(
      compare, [&](auto callable) { host_sort(first, n, callable, values...); });
}

/// Sorts [first, last) into the range of the same length at `out`; the input stays as it is, unless
/// the two are the same.
template <class Call, class Compare, class Iterator, class OutIterator>
OutIterator sort_into([[maybe_unused]] const Call& call, Iterator first, Iterator last,
                      OutIterator out, const Compare& compare) {
  require_route<problem_of<Call, false, false, Compare, value_t<Iterator>>>();
  const std::uint64_t n = length_of(first, last);
  const auto end =
      out + static_cast<typename std::iterator_traits<OutIterator>::difference_type>(n);
  if (n == 0) return end;
  if (!is_same_range(first, out, n)) reject_overlap_of_output(n, first, out);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    run_on_device(call, [&](const Call& own) { sort_into_on_device(own, first, n, out, compare); });
    return end;
  }
#endif
  run_on_host<Call, Iterator, OutIterator>(compare, [&](auto callable) {
    std::copy(first, last, out);
    host_sort(out, n, callable);
  });
  return end;
}

// Sorts under verify and keep_input.

template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_ranges(const verified_call<Call>& call, KeyIterator first, KeyIterator last,
                 const Compare& compare, ValueIterators... values) {
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  const columns<KeyIterator, ValueIterators...> range{{first, values...}, n};
  verify_in_place(call, range, no_offsets{}, compare, [&](const Call& plain) {
    sort_ranges<Stable>(plain, first, last, compare, values...);
  });
}

template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_ranges(const keeping_call<Call>& call, KeyIterator first, KeyIterator last,
                 const Compare& compare, ValueIterators... values) {
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  reject_overlaps(n, first, values...);
  on_kept_copies(
      n,
      [&](auto keys, auto... others) {
        sort_ranges<Stable>(without_keeping(call), keys, end_of(keys, n), compare, others...);
      },
      first, values...);
}

template <class Call, class Compare, class Iterator, class OutIterator>
OutIterator sort_into(const verified_call<Call>& call, Iterator first, Iterator last,
                      OutIterator out, const Compare& compare) {
  require_readable_output<OutIterator>();
  require_checksum<value_t<OutIterator>, Iterator, OutIterator>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return out;
  verify_result(
      call, columns<OutIterator>{{out}, n}, no_offsets{}, compare,
      [&](auto f) {
        f(columns<Iterator>{{first}, n});
      },
      [&](const Call& plain) { sort_into(plain, first, last, out, compare); });
  return end_of(out, n);
}

template <class Call, class Compare, class Iterator, class OutIterator>
OutIterator sort_into(const keeping_call<Call>& call, Iterator first, Iterator last,
                      OutIterator out, const Compare& compare) {
  const std::uint64_t n = length_of(first, last);
  if (n == 0 || !is_same_range(first, out, n)) {
    return sort_into(without_keeping(call), first, last, out, compare);
  }
  sort_ranges<false>(call, out, end_of(out, n), compare);
  return end_of(out, n);
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

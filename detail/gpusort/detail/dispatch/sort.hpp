// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <gpusort/detail/dispatch/host_sort.hpp>
#include <gpusort/detail/dispatch/keep_input.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/support/invoke.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <limits>
#include <string>

#if GPUSORT_CUDA
#include <gpusort/detail/algorithm/is_sorted.hpp>
#include <gpusort/detail/dispatch/device_ranges.hpp>
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/run_on_device.hpp>
#include <gpusort/detail/support/zip_array.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

/// What the routes of a problem want a range aligned to: wide moves, where elements are moved at
/// every pass. Not spelled out in range_for: nvcc takes 400 MB for each use of an alias template
/// that evaluates it.
template <class Problem, class Iterator>
inline constexpr std::size_t range_alignment =
    router::layout_of(Problem::value) == router::layout::elements && !Problem::value.in_place
        ? wide_alignment<value_t<Iterator>>()
        : 1;

/// A sort of records by field, where the fields are: of a zip of contiguous ranges.
template <class Problem, class Compare, class Iterator>
struct field_sort {
  static constexpr bool is_possible() { return false; }
};

template <class Problem, class Compare, class First, class... Rest>
struct field_sort<Problem, Compare, thrust::zip_iterator<thrust::tuple<First, Rest...>>> {
  using zip = thrust::zip_iterator<thrust::tuple<First, Rest...>>;

  /// Whether the routes take columns: records that are moved at every pass, in an order that is
  /// known by comparisons only.
  static constexpr bool is_possible() {
    constexpr router::problem p = Problem::value;
    return is_contiguous_v<First> && (is_contiguous_v<Rest> && ...) &&
           router::layout_of(p) == router::layout::elements &&
           router::order_of(p) == router::order_kind::opaque && !p.in_place &&
           p.forced == route::nothing;
  }

  static plan plan_for(std::uint64_t n) {
    const router::decision chosen = choose(n);
    return {chosen.algorithm, chosen.reason, router::passes(chosen.algorithm, n, 0),
            scratch_bytes(chosen.algorithm, n)};
  }

  static void run(const call_stream& stream, const zip& first, std::uint64_t n,
                  const Compare& compare, const memory_source& memory) {
    const array records = array_at(first, others{});
    until_launches_fit([&] {
      const route chosen = choose(n).algorithm;
      const nvtx_range range(name_of(chosen));
      const auto scratch = scratch_buffer::or_throw(memory, scratch_bytes(chosen, n), stream);
      visit(chosen, [&](auto sort) {
        sort.run(stream, records, records, n, order{compare}, scratch.data());
      });
    });
  }

 private:
  using others = std::index_sequence_for<Rest...>;
  using array = zip_array<value_t<zip>, value_t<First>, value_t<Rest>...>;
  using order = by_stored_value<Compare>;

  static router::decision choose(std::uint64_t n) {
    router::abilities device;
    device.few = few_limits_of<array, order>();
    return router::choose(Problem::value, n, device);
  }

  template <class Visit>
  static void visit(route chosen, const Visit& visit_sort) {
    visit_route<Problem>(chosen, [&](auto r) {
      if constexpr (r.value != route::bitonic_sort) {
        visit_sort(comparison_sort<r.value, array, order, Problem::value.stable>{});
      }
    });
  }

  static std::size_t scratch_bytes(route chosen, std::uint64_t n) {
    std::size_t bytes = 0;
    visit(chosen, [&](auto sort) { bytes = sort.scratch_bytes(n); });
    return bytes;
  }

  template <std::size_t... I>
  static array array_at(const zip& first, std::index_sequence<I...>) {
    const auto& c = first.get_iterator_tuple();
    return {address_of(thrust::get<0>(c)), {address_of(thrust::get<I + 1>(c))...}};
  }
};

template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_on_device(const Call& call, KeyIterator first, std::uint64_t n, const Compare& compare,
                    ValueIterators... values) {
  using problem =
      problem_of<Call, Stable, false, Compare, value_t<KeyIterator>, value_t<ValueIterators>...>;
  using sort = device_sort<problem, value_t<KeyIterator>, Compare, value_t<ValueIterators>...>;
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
      call, waiting::as_the_call_does,
      [&](completion* done, const auto& keys, const auto&... columns) {
        sort::run({keys.data(),
                   keys.data(),
                   n,
                   compare,
                   {columns.data()...},
                   stream_of_call(call, done),
                   (keys.is_aligned() && ... && columns.is_aligned())},
                  call.memory);
      },
      use<access::update, range_alignment<problem, KeyIterator>>(first, n, kind),
      use<access::update, range_alignment<problem, ValueIterators>>(values, n)...);
}

/// Sorts of calls with limits: dispatch/external_sort.hpp.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_within_limits(const Call& call, KeyIterator first, std::uint64_t n,
                        const Compare& compare, ValueIterators... values);
template <class Call, class Compare, class Iterator, class OutIterator>
bool sort_into_in_pieces(const Call& call, Iterator first, std::uint64_t n, OutIterator out,
                         const Compare& compare);

template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_with_device(const Call& call, KeyIterator first, std::uint64_t n, const Compare& compare,
                      ValueIterators... values) {
  run_on_device(call, [&](const Call& own) {
    if constexpr (Call::is_limited) {
      sort_within_limits<Stable>(own, first, n, compare, values...);
    } else {
      sort_on_device<Stable>(own, first, n, compare, values...);
    }
  });
}

/// sort_into on a device.
template <class Call, class Compare, class Iterator, class OutIterator>
void sort_into_on_device(const Call& call, Iterator first, std::uint64_t n, OutIterator out,
                         const Compare& compare) {
  using key = value_t<Iterator>;
  using problem = problem_of<Call, false, false, Compare, key>;
  if constexpr (Call::is_limited) {
    if (sort_into_in_pieces(call, first, n, out, compare)) return;
  }
  with_device_ranges(
      call, waiting::as_the_call_does,
      [&](completion* done, const auto& sorted, const auto& in) {
        device_sort<problem, key, Compare>::run({in.data(),
                                                 sorted.data(),
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

/// sort_places on a device.
template <class Call, class Compare, class Iterator, class IndexIterator>
void sort_places_on_device(const Call& call, Iterator first, std::uint64_t n, IndexIterator out,
                           const Compare& compare) {
  using index = value_t<IndexIterator>;
  using key = value_t<Iterator>;
  using problem = problem_of<Call, true, true, Compare, key>;
  with_device_ranges(
      call, waiting::as_the_call_does,
      [&](completion*, const auto& keys, const auto& places) {
        device_sort<problem, key, Compare>::run_places(
            {keys.data(), keys.data(), n, compare, {}, stream_of_call(call, nullptr), true},
            reinterpret_cast<unsigned_of_size_t<sizeof(index)>*>(places.data()), call.memory);
      },
      use<access::read>(first, n), use<access::write>(out, n));
}

#endif

/// Sorts [first, last) and, in the same order, the ranges of values that begin at `values`.
template <bool Stable, class Call, class Compare, class KeyIterator, class... ValueIterators>
void sort_ranges([[maybe_unused]] const Call& call, KeyIterator first, KeyIterator last,
                 const Compare& compare, ValueIterators... values) {
  require_route<
      problem_of<Call, Stable, false, Compare, value_t<KeyIterator>, value_t<ValueIterators>...>>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  if constexpr (sizeof...(values) > 0) reject_overlaps(n, first, values...);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    if constexpr (sizeof...(ValueIterators) == 0 && is_reverse<KeyIterator>::value) {
      // The same range forwards, in the opposite order. Equivalent elements stay in the order they
      // have, which is the same in both directions.
      return sort_with_device<Stable>(call, last.base(), n, backwards(compare));
    } else {
      return sort_with_device<Stable>(call, first, n, compare, values...);
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
  if (is_same_range(first, out)) {
    sort_ranges<false>(call, out, end, compare);
    return end;
  }
  reject_overlaps(n, first, out);
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

/// Writes the places of [first, last)'s elements, in sorted order, to `out`. Stable.
template <class Call, class Compare, class Iterator, class IndexIterator>
void sort_places([[maybe_unused]] const Call& call, Iterator first, Iterator last,
                 IndexIterator out, const Compare& compare) {
  using index = value_t<IndexIterator>;
  require_route<problem_of<Call, true, true, Compare, value_t<Iterator>>>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  if (n - 1 > static_cast<std::uint64_t>(std::numeric_limits<index>::max())) {
    refuse("the index type is too small for the range; write indices of 8 bytes");
  }
  reject_overlaps(n, first, out);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(
        call, [&](const Call& own) { sort_places_on_device(own, first, n, out, compare); });
  }
#endif
  run_on_host<Call, Iterator, IndexIterator>(compare, [&](auto callable) {
    host::argsort(host_iterator(first), n, host_iterator(out), callable);
  });
}

#if GPUSORT_CUDA

template <class Call, class Key, class Compare>
bool is_sorted_on_device(const Call& call, const Key* keys, std::uint64_t n,
                         const Compare& compare) {
  using array = key_array<stored_t<Key>>;
  using test = is_sorted<array, by_stored_value<Compare>>;
  const auto scratch = scratch_buffer::or_throw(call.memory, test::scratch_bytes(), call.stream);
  const array range{reinterpret_cast<stored_t<Key>*>(const_cast<Key*>(keys))};
  test::run(call.stream, range, n, {compare}, scratch.template as<int>());
  int is_unsorted = 0;
  check(cudaMemcpyAsync(&is_unsorted, scratch.data(), sizeof(int), cudaMemcpyDeviceToHost,
                        call.stream),
        "reading a result");
  check(cudaStreamSynchronize(call.stream), "waiting for a result");
  return is_unsorted == 0;
}

#endif

template <class Call, class Compare, class Iterator>
bool check_sorted([[maybe_unused]] const Call& call, Iterator first, Iterator last,
                  const Compare& compare) {
  const std::uint64_t n = length_of(first, last);
  if (n < 2) return true;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    bool is_sorted = false;
    run_on_device(call, [&](const Call& own) {
      with_device_ranges(
          own, waiting::always,
          [&](completion*, const auto& keys) {
            is_sorted = is_sorted_on_device(own, keys.data(), n, compare);
          },
          use<access::read>(first, n));
    });
    return is_sorted;
  }
#endif
  bool is_sorted = false;
  run_on_host<Call, Iterator>(compare, [&](auto callable) {
    is_sorted = host::is_sorted(host_iterator(first), n, callable);
  });
  return is_sorted;
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

/// plan_sort on a device.
template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort_on_device(const Call& call, Iterator first, std::uint64_t n, const Compare&) {
  using key = value_t<Iterator>;
  using problem = problem_of<Call, Stable, false, Compare, key>;
  const pointer_kind kind = n > 0 ? kind_of_range(first) : pointer_kind{};
  const device_guard guard(kind, call.stream);
  const device_part part(call.stream, false);
  using by_field = field_sort<problem, Compare, Iterator>;
  if constexpr (by_field::is_possible()) {
    if (n > 0 && kind.device_accessible()) return by_field::plan_for(n);
  }
  plan planned = device_sort<problem, key, Compare>::plan_for(n);
  if (n > 0 && !is_used_as_it_is<problem>(first, kind)) {
    planned.scratch_bytes += n * sizeof(key) + scratch_alignment;
  }
  return planned;
}

#endif

/// The plan of a sort of the range, and the scratch of the default route, staging included.
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
    return planned;
  }
#endif
  return {route::host_sort, "there is no CUDA device", 1, 0};
}

// The same under verify and keep_input.

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
  if constexpr (sizeof...(values) > 0) reject_overlaps(n, first, values...);
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
  if (n == 0 || !is_same_range(first, out)) {
    return sort_into(without_keeping(call), first, last, out, compare);
  }
  sort_ranges<false>(call, out, end_of(out, n), compare);
  return end_of(out, n);
}

#if GPUSORT_CUDA

template <class Call, class Compare, class Iterator, class IndexIterator>
void verify_places_on_device(const verified_call<Call>& call, Iterator first, std::uint64_t n,
                             IndexIterator out, const Compare& compare) {
  using index = value_t<IndexIterator>;
  const Call plain = without_verify(call);
  // Refuses a stream under capture before anything is sorted.
  const device_scope<Call> scope(plain, kind_of_range(first), true);
  sort_places(plain, first, end_of(first, n), out, compare);
  with_device_ranges(
      plain, waiting::always,
      [&](completion*, const auto& keys, const auto& places) {
        const device_record expected(call), found(call);
        verification::run(call.stream, all_places<index>{}, 0, n, no_order{}, expected.get());
        verification::run(call.stream, verified_columns<index>{places.data(), {}}, 0, n,
                          ascending_places<value_t<Iterator>, Compare>{keys.data(), n, compare},
                          found.get());
        require_proof(expected.read().sum, found.read());
      },
      use<access::read>(first, n), use<access::read>(out, n));
}

#endif

template <class Call, class Compare, class Iterator, class IndexIterator>
void sort_places(const verified_call<Call>& call, Iterator first, Iterator last, IndexIterator out,
                 const Compare& compare) {
  using index = value_t<IndexIterator>;
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const verified_call<Call>& own) {
      verify_places_on_device(own, first, n, out, compare);
    });
  }
#endif
  run_on_host<Call, Iterator, IndexIterator>(compare, [&](auto callable) {
    sort_places(without_verify(call), first, last, out, compare);
    const auto place = [&](std::size_t i) {
      return static_cast<std::uint64_t>(host::element(out, i));
    };
    unsigned long long expected = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      expected +=
          mixed_checksum(element_checksum<index>::add(checksum_seed, static_cast<index>(i)));
    }
    pass_record found;
    found.sum = host::checksum_of<index>(static_cast<std::size_t>(n), host_iterator(out));
    found.first_wrong = host::first_wrong(static_cast<std::size_t>(n), [&](std::size_t i) {
      if (place(i) >= n) return true;
      if (i == 0 || place(i - 1) >= n) return false;
      const auto &here = host::element(first, static_cast<std::size_t>(place(i))),
                 &left = host::element(first, static_cast<std::size_t>(place(i - 1)));
      if (static_cast<bool>(callable(here, left))) return true;
      return place(i) < place(i - 1) && !static_cast<bool>(callable(left, here));
    });
    require_proof(expected, found);
  });
}

template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort(const verified_call<Call>& call, Iterator first, Iterator last,
               const Compare& compare) {
  plan planned = plan_sort<Stable>(without_verify(call), first, last, compare);
#if GPUSORT_CUDA
  // Before and after the sort, not beside it.
  if (device_count() > 0 && planned.scratch_bytes < scratch_alignment) {
    planned.scratch_bytes = scratch_alignment;
  }
#endif
  return planned;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

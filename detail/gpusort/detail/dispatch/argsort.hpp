// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/order_of_indices.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <limits>

#if GPUSORT_CUDA
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

/// Runs sort_indices on a device.
template <class Call, class Compare, class Iterator, class IndexIterator>
void sort_indices_on_device(const Call& call, Iterator first, std::uint64_t n, IndexIterator out,
                            const Compare& compare) {
  using index = value_t<IndexIterator>;
  using key = value_t<Iterator>;
  using problem = problem_of<Call, true, true, Compare, key>;
  with_device_ranges(
      call, {},
      [&](completion*, const auto& keys, const auto& indices) {
        device_sort<problem, key, Compare>::run_indices(
            {keys.data(), keys.data(), n, compare, {}, stream_of_call(call, nullptr), true},
            reinterpret_cast<unsigned_of_size_t<sizeof(index)>*>(indices.data()), call.memory);
      },
      use<access::read>(first, n), use<access::write>(out, n));
}

#endif

/// Writes the indices of [first, last)'s elements, in sorted order, to `out`. Stable.
template <class Call, class Compare, class Iterator, class IndexIterator>
void sort_indices([[maybe_unused]] const Call& call, Iterator first, Iterator last,
                  IndexIterator out, const Compare& compare) {
  using index = value_t<IndexIterator>;
  require_route<problem_of<Call, true, true, Compare, value_t<Iterator>>>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  if (n - 1 > static_cast<std::uint64_t>((std::numeric_limits<index>::max)())) {
    refuse("the index type is too small for the range; write indices of 8 bytes");
  }
  reject_overlap_of_output(n, first, out);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(
        call, [&](const Call& own) { sort_indices_on_device(own, first, n, out, compare); });
  }
#endif
  run_on_host<Call, Iterator, IndexIterator>(compare, [&](auto callable) {
    host::argsort(host_iterator(first), n, host_iterator(out), callable);
  });
}

#if GPUSORT_CUDA

template <class Call, class Compare, class Iterator, class IndexIterator>
void verify_indices_on_device(const verified_call<Call>& call, Iterator first, std::uint64_t n,
                              IndexIterator out, const Compare& compare) {
  using index = value_t<IndexIterator>;
  const Call& plain = without_verify(call);
  memory_location location;
  location.add(kind_of_range(first));
  location.add(kind_of_range(out));
  // Refuses a stream under capture before anything is sorted.
  const device_scope<Call> scope(plain, location.owner(), true);
  sort_indices(plain, first, end_of(first, n), out, compare);
  with_device_ranges(
      plain, waits_always,
      [&](completion*, const auto& keys, const auto& indices) {
        const device_record expected(call), found(call);
        verification::run(call.stream, all_indices<index>{}, 0, n, no_order{}, expected.get());
        verification::run(
            call.stream, verified_columns<index>{indices.data(), {}}, 0, n,
            indices_of_ascending_keys<value_t<Iterator>, Compare>{keys.data(), n, compare},
            found.get());
        require_proof(expected.read().sum, found.read());
      },
      use<access::read>(first, n), use<access::read>(out, n));
}

#endif

template <class Call, class Compare, class Iterator, class IndexIterator>
void sort_indices(const verified_call<Call>& call, Iterator first, Iterator last, IndexIterator out,
                  const Compare& compare) {
  using index = value_t<IndexIterator>;
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
#if GPUSORT_CUDA
  if (device_count() > 0) {
    return run_on_device(call, [&](const verified_call<Call>& own) {
      verify_indices_on_device(own, first, n, out, compare);
    });
  }
#endif
  run_on_host<Call, Iterator, IndexIterator>(compare, [&](auto callable) {
    sort_indices(without_verify(call), first, last, out, compare);
    const auto index_of = [&](std::size_t i) {
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
      if (index_of(i) >= n) return true;
      if (i == 0 || index_of(i - 1) >= n) return false;
      const auto &here = host::element(first, static_cast<std::size_t>(index_of(i))),
                 &left = host::element(first, static_cast<std::size_t>(index_of(i - 1)));
      if (static_cast<bool>(callable(here, left))) return true;
      return index_of(i) < index_of(i - 1) && !static_cast<bool>(callable(left, here));
    });
    require_proof(expected, found);
  });
}

/// Runs sort_indices where the order tells nulls by the elements' indices.
template <class Call, class Iterator, class IndexIterator, class... Fields>
void sort_indices_by_index(const Call& call, Iterator first, Iterator last, IndexIterator out,
                           const ordered_by<Fields...>& order) {
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  reject_overlap_of_output(n, first, out);
  const memory_extent written = extent_of(out, n);
  for_each_validity(order.fields, [&](const auto& validity) {
    reject_overlap(validity.data, validity.bytes(n), written.begin, written.bytes,
                   "its output overlaps what tells nulls; pass ranges that share no memory");
  });
  with_indices(call, first, n, order, [&](const Call& own, auto begin, auto end, auto by_index) {
    sort_indices(own, begin, end, out, by_index);
  });
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/options.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/verify.hpp>
#include <gpusort/detail/host/sort.hpp>
#include <gpusort/detail/support/order_of_indices.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <limits>

#if GPUSORT_CUDA
#include <thrust/iterator/counting_iterator.h>
#include <cstdint>
#include <gpusort/detail/algorithm/is_sorted.hpp>
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/support/array.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#else
#include <numeric>
#include <vector>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Calls that move no elements, under orders whose nulls are told by the elements' indices: what is
// sorted or tested are the indices themselves.

#if GPUSORT_CUDA

/// Contiguous columns, read as rows.
template <class... Columns>
struct column_pointers {
  cuda::std::tuple<const Columns*...> columns;

  GPUSORT_HOST_DEVICE cuda::std::tuple<const Columns&...> operator[](std::ptrdiff_t i) const {
    return cuda::std::apply(
        [i](const Columns*... c) { return cuda::std::tuple<const Columns&...>(c[i]...); }, columns);
  }
};

/// Returns how the elements of a range that is not empty are read where they are.
template <class Iterator>
const value_t<Iterator>* readable(const Iterator& first) {
  static_assert(is_contiguous_v<Iterator>,
                "gpusort: where nulls are told by the elements' indices, the range is contiguous, "
                "or a zip of contiguous ones; copy it into one");
  return address_of(first);
}
template <class... Columns>
column_pointers<value_t<Columns>...> readable(
    const thrust::zip_iterator<thrust::tuple<Columns...>>& first) {
  return cuda::std::apply(
      [](const Columns&... columns) {
        return column_pointers<value_t<Columns>...>{{readable(columns)...}};
      },
      first.get_iterator_tuple());
}

#endif

/// Calls f(call, first, last, order) with the indices of n > 0 elements in their place, and the
/// order of these.
template <class Call, class Iterator, class... Fields, class F>
void with_indices(const Call& call, Iterator first, std::uint64_t n,
                  const ordered_by<Fields...>& order, const F& f) {
#if GPUSORT_CUDA
  const thrust::counting_iterator<std::uint64_t> begin(0), end(n);
  const auto work = [&](const Call& own) {
    f(own, begin, end, order_of_indices(readable(first), order));
  };
  if (device_count() == 0) return work(call);
  run_on_device(call, [&](const Call& own) {
    const pointer_kind kind = kind_of_range(first);
    const auto require_accessible = [](pointer_kind of) {
      if (of.device_accessible()) return;
      refuse(
          "nulls are told by the elements' indices, and the range or what tells them is in host "
          "memory; copy both to the device");
    };
    require_accessible(kind);
    for_each_validity(order.fields, [&](const auto& validity) {
      if (validity.data == nullptr) return;
      const pointer_kind of_validity = classify_pointer(validity.data);
      require_accessible(of_validity);
      reject_other_device(kind, of_validity);
    });
    const device_guard guard(kind, own);
    work(own);
  });
#else
  std::vector<std::uint64_t> indices(n);
  std::iota(indices.begin(), indices.end(), std::uint64_t{0});
  f(call, indices.data(), indices.data() + n, order_of_indices(host_iterator(first), order));
#endif
}

#if GPUSORT_CUDA

/// Whether an array on the current device is in order. Waits.
template <class Call, class Array, class Compare>
bool is_sorted_on_device(const Call& call, Array array, std::uint64_t n, const Compare& compare) {
  using test = is_sorted<Array, Compare>;
  const auto scratch = scratch_buffer::or_throw(call.memory, test::scratch_bytes(), call.stream);
  test::run(call.stream, array, n, compare, scratch.template as<int>());
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
          own, waits_always,
          [&](completion*, const auto& keys) {
            using stored = stored_t<value_t<Iterator>>;
            const key_array<stored> array{reinterpret_cast<stored*>(keys.data())};
            is_sorted = is_sorted_on_device(own, array, n, by_stored_value<Compare>{compare});
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

/// Runs check_sorted where the order tells nulls by the elements' indices.
template <class Call, class Iterator, class... Fields>
bool check_sorted_by_index(const Call& call, Iterator first, Iterator last,
                           const ordered_by<Fields...>& order) {
  const std::uint64_t n = length_of(first, last);
  bool is_sorted = true;
  if (n < 2) return is_sorted;
  with_indices(call, first, n, order, [&](const Call& own, auto begin, auto end, auto by_index) {
    is_sorted = check_sorted(own, begin, end, by_index);
  });
  return is_sorted;
}

/// Proves that `out` has each index of the elements once, in their stable order.
template <class Compare, class Iterator, class IndexIterator>
struct proof_of_order {
  using index = value_t<IndexIterator>;

  Iterator first;
  std::uint64_t n;
  IndexIterator out;
  Compare compare;

#if GPUSORT_CUDA

  pointer_kind owner() const {
    memory_location location;
    location.add(kind_of_range(first));
    location.add(kind_of_range(out));
    return location.owner();
  }

  template <class Call>
  unsigned long long before(const Call&) const {
    return 0;
  }

  template <class Call>
  void after(const Call& call, unsigned long long) const {
    with_device_ranges(
        call, waits_always,
        [&](completion*, const auto& keys, const auto& indices) {
          const index* const order = indices.data();
          prove_order_on_device(
              call, order, n,
              indices_of_ascending_keys<value_t<Iterator>, Compare>{keys.data(), n, compare});
        },
        use<access::read>(first, n), use<access::read>(out, n));
  }

#endif

  template <class Call, class Run>
  void without_device(const Run& run) const {
    run_on_host<Call, Iterator, IndexIterator>(compare, [&](auto callable) {
      run();
      const auto before = [&](std::size_t a, std::size_t b) {
        const auto &x = host::element(first, a), &y = host::element(first, b);
        return static_cast<bool>(callable(x, y));
      };
      prove_order_on_host<index>(static_cast<std::size_t>(n), host_iterator(out), before);
    });
  }
};

/// Writes the indices of n > 0 elements, in sorted order, to `out`. Stable.
template <class Compare, class Iterator, class IndexIterator>
struct argsort_operation : operation_traits {
  using index = value_t<IndexIterator>;
  using key = value_t<Iterator>;

  Iterator first;
  std::uint64_t n;
  IndexIterator out;
  Compare compare;

  proof_of_order<Compare, Iterator, IndexIterator> proof() const {
    return {first, n, out, compare};
  }

  template <class Call>
  bool has_work() const {
    if (n - 1 > static_cast<std::uint64_t>((std::numeric_limits<index>::max)())) {
      refuse("the index type is too small for the range; write indices of 8 bytes");
    }
    reject_overlap_of_output(n, first, out);
    return true;
  }

#if GPUSORT_CUDA

  template <class Call>
  void with_device(const Call& call) const {
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

  template <class Call>
  void without_device() const {
    run_on_host<Call, Iterator, IndexIterator>(compare, [&](auto callable) {
      host::argsort(host_iterator(first), n, host_iterator(out), callable);
    });
  }
};

/// Writes the indices of [first, last)'s elements, in sorted order, to `out`. Stable.
template <class Call, class Compare, class Iterator, class IndexIterator>
void sort_indices(const Call& call, Iterator first, Iterator last, IndexIterator out,
                  const Compare& compare) {
  require_route<problem_of<Call, true, true, Compare, value_t<Iterator>>>();
  const std::uint64_t n = length_of(first, last);
  if (n == 0) return;
  run_call(call, argsort_operation<Compare, Iterator, IndexIterator>{{}, first, n, out, compare});
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
    reject_overlap({validity.data, validity.bytes(n)}, written,
                   "its output overlaps what tells nulls; pass ranges that share no memory");
  });
  with_indices(call, first, n, order, [&](const Call& own, auto begin, auto end, auto by_index) {
    sort_indices(own, begin, end, out, by_index);
  });
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

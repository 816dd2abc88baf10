// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/multiway_select.hpp>
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/external/pieces.hpp>
#include <gpusort/detail/dispatch/merge_on_device.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/run_table.hpp>
#include <gpusort/detail/dispatch/sort.hpp>
#include <gpusort/detail/host/multiway_select.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/error.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Elements of a type, in an order that Problem describes.
template <class Problem, class T, class Compare>
class ordered_elements final : public external_elements {
 public:
  explicit ordered_elements(const Compare& compare)
      : external_elements(sizeof(T)), compare_(compare) {}

  std::size_t sort_bytes(std::uint64_t n) const override { return sorter::scratch_bytes(n); }

  void sort(cudaStream_t stream, void* data, std::uint64_t n,
            const memory_source& memory) const override {
    T* const elements = static_cast<T*>(data);
    sorter::run({elements, elements, n, compare_, {}, stream, true}, memory);
  }

  /// Tells whether the host selects: what is the user's may be callable on the device only.
  bool selects_on_host() const override { return is_known_to_host; }

  void select(const host_run* runs, std::size_t k, std::uint64_t rank,
              std::size_t* counts) const override {
    if constexpr (is_known_to_host) {
      std::vector<host::run<const T*>> typed(k);
      for (std::size_t i = 0; i < k; ++i) {
        typed[i] = {static_cast<const T*>(runs[i].data), static_cast<std::size_t>(runs[i].count)};
      }
      host::multiway_select(typed.data(), k, rank, counts, compare_);
    }
  }

  std::size_t select_bytes(std::size_t k, std::size_t ranks) const override {
    if constexpr (is_known_to_host) {
      return 0;
    } else {
      return counts_bytes(k, ranks) + selection::scratch_bytes(k, ranks);
    }
  }

  void select_on_device(cudaStream_t stream, const std::vector<host_run>& runs,
                        const std::vector<std::uint64_t>& ranks, std::uint64_t* counts,
                        void* scratch) const override {
    if constexpr (!is_known_to_host) {
      std::vector<sorted_run<array>> typed;
      for (const host_run& run : runs) {
        typed.push_back({{static_cast<stored_t<T>*>(const_cast<void*>(run.data))}, run.count});
      }
      auto* const found = static_cast<std::uint64_t*>(scratch);
      const std::size_t bytes = counts_bytes(runs.size(), ranks.size());
      selection::run(stream, typed.data(), typed.size(), ranks.data(), ranks.size(), found,
                     {compare_}, static_cast<unsigned char*>(scratch) + bytes);
      check(cudaMemcpyAsync(counts, found, runs.size() * ranks.size() * sizeof(std::uint64_t),
                            cudaMemcpyDeviceToHost, stream),
            "reading where runs are cut");
      check(cudaStreamSynchronize(stream), "waiting for where runs are cut");
    }
  }

 private:
  static constexpr bool is_known_to_host = is_arithmetic_key_v<T> && is_less_or_greater_v<Compare>;
  using sorter = device_sort<Problem, T, Compare>;
  using array = key_array<stored_t<T>>;
  using selection = multiway_select<array, by_stored_value<Compare>>;

  static std::size_t counts_bytes(std::size_t k, std::size_t ranks) {
    return round_up<std::size_t>(k * ranks * sizeof(std::uint64_t), scratch_alignment);
  }

  Compare compare_;
};

/// Runs body(external_call) on these devices, with as much memory of each as the call may take and
/// can allocate.
template <class Body>
void work_in_pieces(const std::vector<external_device>& devices, std::uint64_t max_bytes,
                    const progress_report& report, const external_elements& elements,
                    std::uint64_t n, std::size_t runs, Body body) {
  std::uint64_t most = max_bytes;
  for (;;) {
    const external_plan plan = external_plan::make(elements, n, runs, devices.size(), most);
    if (plan.units == 0) {
      if (most < max_bytes || max_bytes == unlimited_bytes) throw out_of_memory();
      refuse("max_device_bytes is too small to work on the range in pieces; allow more");
    }
    std::optional<external_call> in_pieces;
    try {
      in_pieces.emplace(plan, elements, devices, report);
    } catch (const out_of_memory&) {
      most = plan.bytes() / 2;
      continue;
    }
    return body(*in_pieces);
  }
}

/// Works in pieces on the current device.
template <class Call, class Body>
void work_in_pieces(const Call& call, const external_elements& elements, std::uint64_t n,
                    std::size_t runs, Body body) {
  const std::vector<external_device> one{{current_device(), call.stream, call.memory}};
  work_in_pieces(one, call.max_bytes, call.report, elements, n, runs, body);
}

/// Sorts n elements in host memory of that kind, or in managed memory. Waits.
template <class Problem, class Call, class T, class Compare>
void sort_in_pieces(const Call& call, T* data, pointer_kind kind, std::uint64_t n,
                    const Compare& compare) {
  const ordered_elements<Problem, T, Compare> elements(compare);
  work_in_pieces(call, elements, n, 0, [&](external_call& work) { work.sort(data, kind); });
}

/// Sorts in pieces over the links of several devices, each with a stream of its own.
template <class Problem, class T, class Compare>
void sort_in_pieces_on(const std::vector<external_device>& devices, std::uint64_t max_bytes,
                       const progress_report& report, T* data, pointer_kind kind, std::uint64_t n,
                       const Compare& compare) {
  const ordered_elements<Problem, T, Compare> elements(compare);
  work_in_pieces(devices, max_bytes, report, elements, n, 0,
                 [&](external_call& work) { work.sort(data, kind); });
}

/// Whether the call cannot sort the range as others do, but in pieces: it is where the host reaches
/// it, and with what it takes on the device there is more than the call may have.
template <class Problem, class Compare, class Call, class Iterator>
bool exceeds_limits(const Call& call, [[maybe_unused]] Iterator first, pointer_kind kind,
                    std::uint64_t n) {
  if (kind.on_device()) return false;
  using key = value_t<Iterator>;
  const device_guard guard(kind, call);
  const device_part part(call.stream, false);
  std::uint64_t bytes = device_sort<Problem, key, Compare>::scratch_bytes(n);
  if (!is_used_as_it_is<Problem>(first, kind)) bytes += n * sizeof(key);
  return bytes > call.max_bytes;
}

template <class Call, bool Stable, class Compare, class KeyIterator, class... ValueIterators>
void sort_within_limits(
    const Call& call, const sort_operation<Stable, Compare, KeyIterator, ValueIterators...>& sort) {
  using key = value_t<KeyIterator>;
  const KeyIterator first = sort.first;
  const std::uint64_t n = sort.n;
  const pointer_kind kind = kind_of_range(first);
  if constexpr (sizeof...(ValueIterators) > 0) {
    const std::uint64_t bytes = n * (sizeof(key) + ... + sizeof(value_t<ValueIterators>));
    const bool is_on_host = std::apply(
        [&](const auto&... values) {
          return (kind.on_host() && ... && kind_of_range(values).on_host());
        },
        sort.values);
    if (is_on_host && bytes > call.max_bytes) {
      refuse(
          "keys and values are not sorted in pieces, and these exceed max_device_bytes; sort a zip "
          "of the ranges, or structs of both");
    }
    sort.with_device(call);
  } else {
    using problem = problem_of<Call, Stable, false, Compare, key>;
    if (!exceeds_limits<problem, Compare>(call, first, kind, n)) {
      try {
        return sort.with_device(call);
      } catch (const out_of_memory&) {
        if (!kind.on_host()) throw;
      }
    }
    device_scope<Call> section(call, kind, true);
    if constexpr (is_contiguous_v<KeyIterator>) {
      sort_in_pieces<problem>(call, address_of(first), kind, n, sort.compare);
    } else if constexpr (!is_device_typed_v<KeyIterator>) {
      const host_elements<key> copy(n);
      if (!kind.on_host()) {
        check(cudaStreamSynchronize(call.stream), "waiting for the elements of managed memory");
      }
      copy.read(first);
      sort_in_pieces<problem>(call, copy.data(), pointer_kind{}, n, sort.compare);
      copy.write(first);
    }
    section.finish();
  }
}

/// Sorts in pieces where both ranges are contiguous and in memory that the host reaches, and do not
/// fit.
template <class Call, class Compare, class Iterator, class OutIterator>
void sort_into_within_limits(const Call& call,
                             const sort_into_operation<Compare, Iterator, OutIterator>& sort) {
  using key = value_t<Iterator>;
  using problem = problem_of<Call, false, false, Compare, key>;
  if constexpr (is_contiguous_v<Iterator> && is_contiguous_v<OutIterator>) {
    const std::uint64_t n = sort.n;
    const pointer_kind kind = kind_of_range(sort.out), in_kind = kind_of_range(sort.first);
    std::uint64_t bytes = 0;
    if (!is_used_as_it_is<problem>(sort.first, in_kind)) bytes += n * sizeof(key);
    const bool is_too_large =
        exceeds_limits<problem, Compare>(call, sort.out, kind, n) || bytes > call.max_bytes;
    if (!kind.on_device() && !in_kind.on_device() && is_too_large) {
      if (!sort.overwrites_input()) {
        host::copy_bytes(address_of(sort.out), address_of(sort.first), n * sizeof(key));
      }
      return sort_within_limits(call, sort.on(sort.out));
    }
  }
  sort.with_device(call);
}

/// Whether all runs and the output are in memory that the host alone reaches.
template <class Iterator, class Out>
bool are_on_host(const run_table<Iterator>& table, const columns<Out>& out) {
  bool on_host = kinds_of(out)[0].on_host();
  for (const auto& range : table.ranges) {
    on_host = on_host && (range.n == 0 || kinds_of(range)[0].on_host());
  }
  return on_host;
}

/// Drops what a policy says of sorting, which does not matter to a merge.
using call_for_merging = call<true, false, false, false, route::nothing>;

/// Merges runs that are on the host piece by piece where they, and what comes of them, do not fit
/// on the device; otherwise as without limits. In pieces it takes host memory of n elements where
/// the order is not less or greater of numbers.
template <class Call, class Compare, class Iterator, class Out>
void merge_runs_within_limits(const Call& call, const run_table<Iterator>& table,
                              const columns<Out>& out, const Compare& compare) {
  using T = merged_t<Out, Iterator>;
  constexpr bool can_be_pieces =
      is_contiguous_v<Iterator> && is_contiguous_v<Out> && std::is_same_v<value_t<Iterator>, T>;
  const bool on_host = can_be_pieces && are_on_host(table, out);
  if (!on_host || 2 * sizeof(T) * table.n <= call.max_bytes) {
    try {
      return multiway_merge_on_device(call, table, out, compare);
    } catch (const out_of_memory&) {
      if (!on_host) throw;
    }
  }
  if constexpr (can_be_pieces) {
    using problem = problem_of<call_for_merging, true, false, Compare, T>;
    const ordered_elements<problem, T, Compare> elements(compare);
    std::vector<host_run> runs;
    for (const auto& r : table.runs) {
      if (r.count > 0) runs.push_back({address_of(table.template first_of<0>(r)), r.count});
    }
    T* const to = address_of(std::get<0>(out.first));
    device_scope<Call> section(call, kinds_of(out)[0], true);
    work_in_pieces(call, elements, table.n, runs.size(),
                   [&](external_call& work) { work.merge(runs, to, classify_pointer(to)); });
    section.finish();
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

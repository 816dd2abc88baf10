// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/inplace_merge.hpp>
#include <gpusort/detail/algorithm/merge.hpp>
#include <gpusort/detail/algorithm/merge_layout.hpp>
#include <gpusort/detail/algorithm/merge_sort.hpp>
#include <gpusort/detail/algorithm/multiway_merge.hpp>
#include <gpusort/detail/algorithm/multiway_select.hpp>
#include <gpusort/detail/dispatch/linked_sort.hpp>
#include <gpusort/detail/dispatch/memory/device_ranges.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/dispatch/ranges.hpp>
#include <gpusort/detail/dispatch/run_table.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/nvtx.hpp>
#include <gpusort/error.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sorts neighbouring runs of one range, stably, where they are too many to be merged: numbers by
/// the route of their sort, elements in other orders by merge sort.
template <class Call, class Compare, class Key, class... Values>
struct sort_of_runs {
  using layout = merge_layout<Compare, Key, Values...>;
  using array = typename layout::between;

  static constexpr bool are_numbers = is_arithmetic_key_v<Key> && is_less_or_greater_v<Compare>;

  /// True where elements are not too large: larger ones are merged by pointer, however many runs
  /// there are.
  static constexpr bool is_possible =
      layout::is_itself && !Call::in_place && !Call::is_limited && Call::forced == route::nothing;

  /// Least runs that are sorted: fewer are merged in one pass.
  static constexpr std::uint64_t least_runs = 65;

  /// Tells whether sorting k runs of n elements is sooner; `bits` is run_table::bits_of_choice().
  static bool is_sooner(std::uint64_t n, std::uint64_t k, double bits) {
    const router::records r = {
        sizeof(Key), (std::size_t{0} + ... + sizeof(Values)), sizeof...(Values),
        are_numbers ? static_cast<int>(8 * sizeof(Key)) : 0,
        are_numbers ? router::comparison::numbers : router::comparison::functions};
    return router::are_runs_sorted_sooner(r, n, k, bits);
  }

  /// Sorts the n elements of `in` into `out`.
  static void run(const Call& call, const array& in, const array& out, std::uint64_t n,
                  const Compare& compare) {
    if constexpr (are_numbers) {
      sort_numbers(call, in, out, n, compare);
    } else {
      using sort = tuned_merge_sort<array, typename layout::order>;
      const auto scratch =
          scratch_buffer::or_throw(call.memory, sort::scratch_bytes(n), call.stream);
      sort::run(call.stream, in, out, n, layout::order_of(compare), scratch.data());
    }
  }

 private:
  static void sort_numbers(const Call& call, const array& in, const array& out, std::uint64_t n,
                           const Compare& compare) {
    using key = representative_key_t<Compare, Key>;
    using problem = problem_of<Call, true, false, Compare, key, representative_value_t<Values>...>;
    using sort = compiled_sort<problem, key, Compare, representative_value_t<Values>...>;
    auto* const keys = reinterpret_cast<key*>(out.keys);
    const call_stream stream = stream_of_call(call, nullptr);
    if constexpr (sizeof...(Values) == 0) {
      sort::run({reinterpret_cast<const key*>(in.keys), keys, n, compare, {}, stream, true},
                call.memory);
    } else {
      relocate(call.stream, in.keys, out.keys, n * sizeof(Key));
      relocate(call.stream, in.values, out.values, n * (sizeof(Values) + ...));
      sort::run({keys,
                 keys,
                 n,
                 compare,
                 {reinterpret_cast<representative_value_t<Values>*>(out.values)...},
                 stream,
                 true},
                call.memory);
    }
  }
};

template <class Layout, class Columns>
class merge_range;

/// A range as the algorithms take it: used where it is, or copied.
template <class Compare, class... Ts, class... Iterators>
class merge_range<merge_layout<Compare, Ts...>, columns<Iterators...>> {
 public:
  using layout = merge_layout<Compare, Ts...>;

  /// Throws gpusort::out_of_memory when there is no memory for a copy that is needed.
  template <class Call>
  merge_range(const columns<Iterators...>& range,
              const std::array<pointer_kind, sizeof...(Ts)>& kinds, const Call& call)
      : columns_(columns_of(range, kinds, call, std::index_sequence_for<Ts...>{})) {
    std::apply(
        [](const auto&... column) {
          if (!(column.is_aligned() && ...)) throw out_of_memory();
        },
        columns_);
  }

  void load() const {
    std::apply([](const auto&... column) { (column.load(), ...); }, columns_);
  }
  void store() const {
    std::apply([](const auto&... column) { (column.store(), ...); }, columns_);
  }
  bool is_copy() const {
    return std::apply([](const auto&... column) { return (column.is_copy() || ...); }, columns_);
  }
  typename layout::input input() const {
    return std::apply([](const auto&... column) { return layout::input_at(column.data()...); },
                      columns_);
  }
  typename layout::output output() const {
    return std::apply([](const auto&... column) { return layout::output_at(column.data()...); },
                      columns_);
  }

 private:
  using device_columns = std::tuple<device_range<Iterators, merge_alignment<Ts>, Ts>...>;

  template <class Call, std::size_t... Is>
  static device_columns columns_of(const columns<Iterators...>& range,
                                   const std::array<pointer_kind, sizeof...(Ts)>& kinds,
                                   const Call& call, std::index_sequence<Is...>) {
    return device_columns(std::tuple_element_t<Is, device_columns>(
        std::get<Is>(range.first), kinds[Is], range.n, call.memory, call.stream)...);
  }

  device_columns columns_;
};

template <class Compare, class Out, class In>
struct merge_layout_of;
template <class Compare, class... Outs, class... Ins>
struct merge_layout_of<Compare, columns<Outs...>, columns<Ins...>>
    : type_is<merge_layout<Compare, merged_t<Outs, Ins>...>> {};

/// Columns of a call, and what the device work does with them: for with_device_ranges().
template <access Access, class Layout, class Columns>
class used_columns {
 public:
  static constexpr access how = Access;

  explicit used_columns(const Columns& range) : range_(range), kinds_(kinds_of(range)) {}

  void add_to(memory_location& location) const { location.add(kinds_); }

  template <class Call>
  auto on_device(const Call& call) const {
    return accessed_range<Access, merge_range<Layout, Columns>>(range_, kinds_, call);
  }

 private:
  const Columns& range_;
  decltype(kinds_of(std::declval<Columns>())) kinds_;
};

template <access Access, class Layout, class Columns>
used_columns<Access, Layout, Columns> use_columns(const Columns& range) {
  return used_columns<Access, Layout, Columns>(range);
}

/// Merges a and b into `out`, of the length of both, which is not 0.
template <class Call, class Compare, class A, class B, class Out>
void merge_on_device(const Call& call, const A& a, const B& b, const Out& out,
                     const Compare& compare) {
  using layout = typename merge_layout_of<Compare, Out, A>::type;
  using algorithm = merge<typename layout::input, typename layout::input, typename layout::output,
                          typename layout::order>;
  const nvtx_range name("gpusort::merge");
  with_device_ranges(
      call, {},
      [&](completion*, const auto& to, const auto& from_a, const auto& from_b) {
        const auto scratch =
            scratch_buffer::or_throw(call.memory, algorithm::scratch_bytes(a.n, b.n), call.stream);
        algorithm::run(call.stream, from_a.input(), a.n, from_b.input(), b.n, to.output(),
                       layout::order_of(compare), scratch.data());
      },
      use_columns<access::write, layout>(out), use_columns<access::read, layout>(a),
      use_columns<access::read, layout>(b));
}

/// The ranges of a table of runs where the device reaches them.
template <class Layout, class... Iterators>
class runs_on_device {
 public:
  using table = run_table<Iterators...>;
  using kinds = std::array<pointer_kind, sizeof...(Iterators)>;

  /// Throws gpusort::out_of_memory when there is no memory for a copy that is needed.
  template <class Call>
  runs_on_device(const table& runs, const std::vector<kinds>& kinds_of_ranges, const Call& call)
      : table_(runs) {
    ranges_.reserve(table_.ranges.size());
    for (std::size_t i = 0; i < table_.ranges.size(); ++i) {
      ranges_.emplace_back(table_.ranges[i], kinds_of_ranges[i], call);
    }
  }

  void load() const {
    for (const auto& range : ranges_) range.load();
  }
  void store() const {}
  const merge_range<Layout, columns<Iterators...>>& range(std::size_t i) const {
    return ranges_[i];
  }
  bool is_copy() const {
    return std::any_of(ranges_.begin(), ranges_.end(), [](const auto& r) { return r.is_copy(); });
  }

  std::vector<sorted_run<typename Layout::input>> runs() const {
    std::vector<sorted_run<typename Layout::input>> runs;
    runs.reserve(table_.runs.size());
    for (const auto& r : table_.runs) {
      runs.push_back({ranges_[r.range].input() + r.begin, r.count});
    }
    return runs;
  }

 private:
  const table& table_;
  std::vector<merge_range<Layout, columns<Iterators...>>> ranges_;
};

/// The runs of a call, which device work reads: for with_device_ranges().
template <class Layout, class... Iterators>
class used_runs {
 public:
  static constexpr access how = access::read;

  explicit used_runs(const run_table<Iterators...>& table) : table_(table) {
    for (const auto& range : table.ranges) kinds_.push_back(kinds_of(range));
  }

  void add_to(memory_location& location) const {
    for (const auto& kinds : kinds_) location.add(kinds);
  }

  template <class Call>
  auto on_device(const Call& call) const {
    return runs_on_device<Layout, Iterators...>(table_, kinds_, call);
  }

 private:
  const run_table<Iterators...>& table_;
  std::vector<std::array<pointer_kind, sizeof...(Iterators)>> kinds_;
};

/// Merges the runs, of which some is not empty, into `out`; sorts those that are not listed.
template <class Call, class Compare, class... Iterators, class... Outs>
void multiway_merge_on_device(const Call& call, const run_table<Iterators...>& table,
                              const columns<Outs...>& out, const Compare& compare) {
  using layout = typename merge_layout_of<Compare, columns<Outs...>, columns<Iterators...>>::type;
  using sort = sort_of_runs<Call, Compare, merged_t<Outs, Iterators>...>;
  using algorithm = tuned_multiway_merge<typename layout::input, typename layout::between,
                                         typename layout::output, typename layout::order>;
  const nvtx_range name("gpusort::multiway_merge");
  with_device_ranges(
      call, {},
      [&](completion*, const auto& to, const auto& from) {
        if constexpr (sort::is_possible) {
          if (table.are_unlisted()) {
            return sort::run(call, from.range(0).input(), to.output(), out.n, compare);
          }
        }
        auto runs = from.runs();
        runs.erase(std::remove_if(runs.begin(), runs.end(),
                                  [](const auto& run) { return run.count == 0; }),
                   runs.end());
        const auto scratch = scratch_buffer::or_throw(
            call.memory, algorithm::scratch_bytes(runs.data(), runs.size()), call.stream);
        algorithm::run(call.stream, runs.data(), runs.size(), to.output(),
                       layout::order_of(compare), scratch.data());
      },
      use_columns<access::write, layout>(out), used_runs<layout, Iterators...>(table));
}

/// Writes how many elements of each run are among the first `rank` of all.
template <class Call, class Compare, class Iterator, class PositionIterator>
void multiway_select_on_device(const Call& call, const run_table<Iterator>& table,
                               std::uint64_t rank, PositionIterator positions,
                               const Compare& compare) {
  using layout = merge_layout<Compare, value_t<Iterator>>;
  using algorithm = multiway_select<typename layout::input, typename layout::order>;
  using written = used_range<access::write, 1, std::uint64_t, PositionIterator>;
  const nvtx_range name("gpusort::multiway_select");
  const std::size_t k = table.runs.size();
  with_device_ranges(
      call, {},
      [&](completion*, const auto& to, const auto& from) {
        const auto scratch =
            scratch_buffer::or_throw(call.memory, algorithm::scratch_bytes(k, 1), call.stream);
        algorithm::run(call.stream, from.runs().data(), k, &rank, 1, to.data(),
                       layout::order_of(compare), scratch.data());
      },
      written(positions, k, kinds_of(columns<PositionIterator>{{positions}, k})[0]),
      used_runs<layout, Iterator>(table));
}

/// Merges [0, middle) and [middle, n) of a range on the device: out of it and back, or inside it.
template <class Call, class T, class Compare>
void merge_neighbours(const Call& call, T* data, bool is_aligned, std::uint64_t middle,
                      std::uint64_t n, const Compare& compare) {
  if constexpr (!Call::in_place) {
    using layout = merge_layout<Compare, T>;
    using algorithm = merge<typename layout::input, typename layout::input, typename layout::output,
                            typename layout::order>;
    scratch_cursor sizes(nullptr);
    sizes.take<T>(n);
    const std::size_t buffer_bytes = sizes.used();
    const scratch_buffer scratch(
        call.memory, is_aligned ? buffer_bytes + algorithm::scratch_bytes(middle, n - middle) : 0,
        call.stream);
    if (is_aligned && scratch) {
      T* const buffer = scratch.template as<T>();
      const auto in = layout::input_at(data);
      algorithm::run(call.stream, in, middle, in + middle, n - middle, layout::output_at(buffer),
                     layout::order_of(compare), scratch.template as<char>(buffer_bytes));
      return relocate(call.stream, buffer, data, n * sizeof(T));
    }
  }
  using algorithm = inplace_merge<key_array<stored_t<T>>, by_stored_value<Compare>>;
  const auto scratch =
      scratch_buffer::or_throw(call.memory, algorithm::scratch_bytes(n), call.stream);
  algorithm::run(call.stream, {reinterpret_cast<stored_t<T>*>(data)}, middle, n, {compare},
                 scratch.data());
}

template <class Call, class Compare, class Iterator>
void inplace_merge_on_device(const Call& call, Iterator first, std::uint64_t middle,
                             std::uint64_t n, const Compare& compare) {
  using T = value_t<Iterator>;
  constexpr std::size_t alignment = Call::in_place ? 1 : merge_alignment<T>;
  const nvtx_range name("gpusort::inplace_merge");
  with_device_ranges(
      call, {},
      [&](completion*, const auto& range) {
        merge_neighbours(call, range.data(), range.is_aligned(), middle, n, compare);
      },
      use<access::update, alignment>(first, n));
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

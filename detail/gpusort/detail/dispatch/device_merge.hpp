// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/inplace_merge.hpp>
#include <gpusort/detail/algorithm/merge.hpp>
#include <gpusort/detail/algorithm/multiway_merge.hpp>
#include <gpusort/detail/algorithm/multiway_select.hpp>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/device_range.hpp>
#include <gpusort/detail/dispatch/device_scope.hpp>
#include <gpusort/detail/dispatch/memory_location.hpp>
#include <gpusort/detail/dispatch/merge_layout.hpp>
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

  template <class Call, std::size_t... I>
  static device_columns columns_of(const columns<Iterators...>& range,
                                   const std::array<pointer_kind, sizeof...(Ts)>& kinds,
                                   const Call& call, std::index_sequence<I...>) {
    return device_columns(std::tuple_element_t<I, device_columns>(
        std::get<I>(range.first), kinds[I], range.n, call.memory, call.stream)...);
  }

  device_columns columns_;
};

template <class Compare, class Out, class In>
struct merge_layout_of;
template <class Compare, class... Outs, class... Ins>
struct merge_layout_of<Compare, columns<Outs...>, columns<Ins...>> {
  using type = merge_layout<Compare, merged_t<Outs, Ins>...>;
};

/// Merges a and b into `out`, of the length of both, which is not 0.
template <class Call, class Compare, class A, class B, class Out>
void merge_on_device(const Call& call, const A& a, const B& b, const Out& out,
                     const Compare& compare) {
  using layout = typename merge_layout_of<Compare, Out, A>::type;
  using algorithm = merge<typename layout::input, typename layout::input, typename layout::output,
                          typename layout::order>;
  const nvtx_range name("gpusort::merge");
  const auto a_kinds = kinds_of(a), b_kinds = kinds_of(b), out_kinds = kinds_of(out);
  memory_location place;
  place.add(out_kinds);
  place.add(a_kinds);
  place.add(b_kinds);
  device_scope<Call> section(call, place.owner(), place.is_staged());
  const merge_range<layout, A> from_a(a, a_kinds, call);
  const merge_range<layout, B> from_b(b, b_kinds, call);
  const merge_range<layout, Out> to(out, out_kinds, call);
  const auto scratch =
      scratch_buffer::or_throw(call.memory, algorithm::scratch_bytes(a.n, b.n), call.stream);
  from_a.load();
  from_b.load();
  algorithm::run(call.stream, from_a.input(), a.n, from_b.input(), b.n, to.output(),
                 layout::order_of(compare), scratch.data());
  to.store();
  section.finish();
}

/// The ranges of a table of runs where the device reaches them.
template <class Layout, class... Iterators>
class runs_on_device {
 public:
  using table = run_table<Iterators...>;
  using run = sorted_run<typename Layout::input>;

  /// `place` learns where the runs are.
  runs_on_device(const table& runs, memory_location& place) : table_(runs) {
    for (const auto& range : table_.ranges) {
      kinds_.push_back(kinds_of(range));
      place.add(kinds_.back());
    }
  }

  /// Throws gpusort::out_of_memory when there is no memory for a copy that is needed.
  template <class Call>
  void allocate(const Call& call) {
    ranges_.reserve(table_.ranges.size());
    for (std::size_t i = 0; i < table_.ranges.size(); ++i) {
      ranges_.emplace_back(table_.ranges[i], kinds_[i], call);
    }
  }

  void load() const {
    for (const auto& range : ranges_) range.load();
  }

  std::vector<run> runs() const {
    std::vector<run> runs;
    runs.reserve(table_.runs.size());
    for (const auto& r : table_.runs) {
      runs.push_back({ranges_[r.range].input() + r.begin, r.count});
    }
    return runs;
  }

 private:
  const table& table_;
  std::vector<std::array<pointer_kind, sizeof...(Iterators)>> kinds_;
  std::vector<merge_range<Layout, columns<Iterators...>>> ranges_;
};

/// Merges the runs, of which some is not empty, into `out`.
template <class Call, class Compare, class... Iterators, class Out>
void multiway_merge_on_device(const Call& call, const run_table<Iterators...>& table,
                              const Out& out, const Compare& compare) {
  using layout = typename merge_layout_of<Compare, Out, columns<Iterators...>>::type;
  using algorithm = multiway_merge<typename layout::input, typename layout::between,
                                   typename layout::output, typename layout::order>;
  const nvtx_range name("gpusort::multiway_merge");
  const auto out_kinds = kinds_of(out);
  memory_location place;
  place.add(out_kinds);
  runs_on_device<layout, Iterators...> from(table, place);
  device_scope<Call> section(call, place.owner(), place.is_staged());
  const merge_range<layout, Out> to(out, out_kinds, call);
  from.allocate(call);
  auto runs = from.runs();
  runs.erase(
      std::remove_if(runs.begin(), runs.end(), [](const auto& run) { return run.count == 0; }),
      runs.end());
  const auto scratch = scratch_buffer::or_throw(
      call.memory, algorithm::scratch_bytes(runs.data(), runs.size()), call.stream);
  from.load();
  algorithm::run(call.stream, runs.data(), runs.size(), to.output(), layout::order_of(compare),
                 scratch.data());
  to.store();
  section.finish();
}

/// Writes how many elements of each run are among the first `rank` of all.
template <class Call, class Compare, class Iterator, class PositionIterator>
void multiway_select_on_device(const Call& call, const run_table<Iterator>& table,
                               std::uint64_t rank, PositionIterator positions,
                               const Compare& compare) {
  using layout = merge_layout<Compare, value_t<Iterator>>;
  using algorithm = multiway_select<typename layout::input, typename layout::order>;
  const nvtx_range name("gpusort::multiway_select");
  const std::size_t k = table.runs.size();
  const auto out_kinds = kinds_of(columns<PositionIterator>{{positions}, k});
  memory_location place;
  place.add(out_kinds);
  runs_on_device<layout, Iterator> from(table, place);
  device_scope<Call> section(call, place.owner(), place.is_staged());
  const device_range<PositionIterator, 1, std::uint64_t> to(positions, out_kinds[0], k, call.memory,
                                                            call.stream);
  from.allocate(call);
  const auto scratch =
      scratch_buffer::or_throw(call.memory, algorithm::scratch_bytes(k, 1), call.stream);
  from.load();
  algorithm::run(call.stream, from.runs().data(), k, &rank, 1, to.data(), layout::order_of(compare),
                 scratch.data());
  to.store();
  section.finish();
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
  const pointer_kind kind = kind_of_range(first);
  device_scope<Call> section(call, kind, kind.on_host());
  const device_range<Iterator, alignment> range(first, kind, n, call.memory, call.stream);
  range.load();
  merge_neighbours(call, range.data(), range.is_aligned(), middle, n, compare);
  overwrite_input(kind.on_host(), [&] {
    range.store();
    section.finish();
  });
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

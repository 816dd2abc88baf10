// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/algorithm/encoded_radix_sort.hpp>
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/gather_column.hpp>
#include <gpusort/detail/algorithm/merge_layout.hpp>
#include <gpusort/detail/algorithm/multiway_merge.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <tuple>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Most runs that one pass merges.
inline constexpr std::size_t most_merged_at_once = 64;

/// Merges neighbouring sorted runs of columns from one buffer into another, of the same layout, in
/// passes that go to and fro between the two: no other memory of the order of n is taken. Where the
/// passes end in the first buffer, its elements are copied to the second one. Stable, lower runs
/// first; a permutation for any comparator. Both buffers are aligned to merge_alignment. Scratch is
/// taken before anything is moved.
template <class Compare, class... Columns>
class ping_pong_merge {
  using layout = merge_layout<Compare, Columns...>;
  using algorithm = tuned_multiway_merge<typename layout::input, typename layout::between,
                                         typename layout::output, typename layout::order>;

 public:
  using pointers = std::tuple<Columns*...>;

  /// Merges; `offsets` has the beginnings of k runs, and the end of the last one.
  static void run(cudaStream_t stream, const memory_source& memory, const pointers& from,
                  const pointers& to, const std::uint64_t* offsets, std::size_t k,
                  const Compare& compare) {
    std::vector<std::uint64_t> ends{offsets[0]};
    for (std::size_t i = 0; i < k; ++i) {
      if (offsets[i + 1] > offsets[i]) ends.push_back(offsets[i + 1]);
    }
    if (ends.size() < 2) return;
    const auto scratch = scratch_buffer::or_throw(memory, scratch_bytes(from, ends), stream);
    const pointers* source = &from;
    const pointers* target = &to;
    do {
      ends = run_pass(stream, *source, *target, ends, compare, scratch.data());
      std::swap(source, target);
    } while (ends.size() > 2);
    if (source == &to) return;
    copy(stream, from, to, ends[0], ends[1] - ends[0], std::index_sequence_for<Columns...>{});
  }

 private:
  using run_list = std::vector<sorted_run<typename layout::input>>;

  static run_list runs_at(const pointers& data, const std::vector<std::uint64_t>& ends,
                          std::size_t first, std::size_t last) {
    const auto input = std::apply([](auto*... p) { return layout::input_at(p...); }, data);
    run_list runs;
    for (std::size_t i = first; i < last; ++i) {
      runs.push_back({input + ends[i], ends[i + 1] - ends[i]});
    }
    return runs;
  }

  /// Returns the most that a group of runs takes, in any pass: in later ones the groups are longer,
  /// and there are fewer ways.
  static std::size_t scratch_bytes(const pointers& from, std::vector<std::uint64_t> ends) {
    std::size_t most = 0;
    while (ends.size() > 2) {
      std::vector<std::uint64_t> merged{ends[0]};
      for (std::size_t first = 0; first + 1 < ends.size(); first += most_merged_at_once) {
        const std::size_t last = min_of(first + most_merged_at_once, ends.size() - 1);
        const run_list runs = runs_at(from, ends, first, last);
        most = (std::max)(most, algorithm::scratch_bytes(runs.data(), runs.size()));
        merged.push_back(ends[last]);
      }
      ends = merged;
    }
    return most;
  }

  /// Returns the ends of what has been merged.
  static std::vector<std::uint64_t> run_pass(cudaStream_t stream, const pointers& from,
                                             const pointers& to,
                                             const std::vector<std::uint64_t>& ends,
                                             const Compare& compare, void* scratch) {
    const auto out = std::apply([](auto*... p) { return layout::output_at(p...); }, to);
    std::vector<std::uint64_t> merged{ends[0]};
    for (std::size_t first = 0; first + 1 < ends.size(); first += most_merged_at_once) {
      const std::size_t last = min_of(first + most_merged_at_once, ends.size() - 1);
      const std::uint64_t begin = ends[first], n = ends[last] - begin;
      if (last - first == 1) {
        copy(stream, from, to, begin, n, std::index_sequence_for<Columns...>{});
      } else {
        const run_list runs = runs_at(from, ends, first, last);
        algorithm::run(stream, runs.data(), runs.size(), out + begin, layout::order_of(compare),
                       scratch);
      }
      merged.push_back(ends[last]);
    }
    return merged;
  }

  template <std::size_t... Is>
  static void copy(cudaStream_t stream, const pointers& from, const pointers& to,
                   std::uint64_t begin, std::uint64_t n, std::index_sequence<Is...>) {
    (relocate(stream, std::get<Is>(from) + begin, std::get<Is>(to) + begin, n * sizeof(Columns)),
     ...);
  }
};

/// Merges keys with any number of columns of values. Several columns follow the indices that
/// keys are merged with: two for each element, and as much scratch more.
template <class Compare, class Key, class... Values>
struct merge_of_columns {
  using pointers = std::tuple<Key*, Values*...>;

  static void run(cudaStream_t stream, const memory_source& memory, const pointers& from,
                  const pointers& to, const std::uint64_t* offsets, std::size_t k,
                  const Compare& compare) {
    if constexpr (sizeof...(Values) <= 1) {
      ping_pong_merge<Compare, Key, Values...>::run(stream, memory, from, to, offsets, k, compare);
    } else if (offsets[k] >> 32 == 0) {
      run_indirectly<std::uint32_t>(stream, memory, from, to, offsets, k, compare);
    } else {
      run_indirectly<std::uint64_t>(stream, memory, from, to, offsets, k, compare);
    }
  }

 private:
  template <class Index>
  static void run_indirectly(cudaStream_t stream, const memory_source& memory, const pointers& from,
                             const pointers& to, const std::uint64_t* offsets, std::size_t k,
                             const Compare& compare) {
    const std::uint64_t n = offsets[k];
    if (n == 0) return;
    scratch_cursor sizes(nullptr);
    sizes.take<Index>(n);
    const std::size_t bytes = sizes.used();
    const auto indices = scratch_buffer::or_throw(memory, 2 * bytes, stream);
    auto* const numbers = indices.template as<Index>();
    auto* const order = indices.template as<Index>(bytes);
    iota(stream, numbers, n);
    ping_pong_merge<Compare, Key, Index>::run(stream, memory, {std::get<0>(from), numbers},
                                              {std::get<0>(to), order}, offsets, k, compare);
    gather(stream, from, to, order, n, std::index_sequence_for<Values...>{});
  }

  template <class Index, std::size_t... Is>
  static void gather(cudaStream_t stream, const pointers& from, const pointers& to,
                     const Index* order, std::uint64_t n, std::index_sequence<Is...>) {
    (gather_column<Index>::bytes(stream, std::get<Is + 1>(from), sizeof(Values), order, n,
                                 std::get<Is + 1>(to)),
     ...);
  }
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

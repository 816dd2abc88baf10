// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/merge_sort.hpp>
#include <gpusort/detail/dispatch/merge_layout.hpp>
#include <gpusort/detail/dispatch/precompiled.hpp>
#include <gpusort/detail/dispatch/problem.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <tuple>

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
      using sort = merge_sort<array, typename layout::order>;
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

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/algorithm/merge_sort.hpp>
#include <gpusort/detail/algorithm/quicksort.hpp>
#include <gpusort/detail/algorithm/sample_sort.hpp>
#include <gpusort/detail/algorithm/small_sort.hpp>
#include <gpusort/detail/router/router.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// The comparison sorts under one interface: runs the one that a decision names, and instantiates
/// those that some n may lead to.
template <class Problem, class Array, class Compare, bool Stable>
struct element_sort {
  static constexpr launches sample_launches =
      router::needs_one_launch_only(Problem::value) ? launches::only_one : launches::any;
  using sample = sample_sort<Array, Compare, sample_launches>;

  static constexpr bool takes(route r) { return router::may_take(Problem::value, r); }

  static std::size_t scratch_bytes(route r, std::uint64_t n) {
    if constexpr (takes(route::sample_sort)) {
      if (r == route::sample_sort) return sample::scratch_bytes(n);
    }
    if constexpr (takes(route::quicksort)) {
      if (r == route::quicksort) return quicksort<Array, Compare>::scratch_bytes(n);
    }
    if constexpr (takes(route::merge_sort)) {
      if (r == route::merge_sort) return merge_sort<Array, Compare>::scratch_bytes(n);
    }
    return 0;
  }

  /// `known`, where a key inference has been made, is what it has found.
  template <class In>
  static void run(route r, const call_stream& stream, In in, Array out, std::uint64_t n,
                  Compare compare, void* scratch, const kernel::probe_result& known = {}) {
    if constexpr (takes(route::small_sort) && !router::is_two_byte_keys(Problem::value)) {
      if (r == route::small_sort) {
        return small_sort<Array, Compare, Stable>::run(stream, in, out, n, compare);
      }
    }
    if constexpr (takes(route::sample_sort)) {
      if (r == route::sample_sort) {
        return sample::run(stream, in, out, n, compare, scratch, known);
      }
    }
    if constexpr (takes(route::quicksort)) {
      if (r == route::quicksort) {
        return quicksort<Array, Compare>::run(stream, in, out, n, compare, scratch);
      }
    }
    if constexpr (takes(route::merge_sort)) {
      if (r == route::merge_sort) {
        return merge_sort<Array, Compare>::run(stream, in, out, n, compare, scratch);
      }
    }
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

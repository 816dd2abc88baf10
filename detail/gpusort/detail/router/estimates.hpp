// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/router/router.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace router {

/// Whether a strategy could sort the elements of a problem, compiled or not.
constexpr bool may_serve(strategy how, const problem& p, std::uint64_t n) {
  // Fields at offsets that the kernel learns when it is launched are not read in registers.
  const bool are_fields_read = p.order != order_kind::encoded || p.fixed_offsets || is_wide_key(p);
  const bool moves_elements = are_fields_read && p.key_bytes + p.value_bytes <= max_element_bytes &&
                              p.alignment <= max_element_alignment && p.value_ranges <= 1;
  const bool has_whole_key =
      p.order == order_kind::arithmetic || (p.order == order_kind::encoded && !is_wide_key(p));
  switch (how) {
    case strategy::elements_compared:
      return moves_elements && !p.stable;
    case strategy::elements_merged:
      return moves_elements && p.stable;
    case strategy::elements_by_radix:
      return moves_elements && p.order == order_kind::arithmetic &&
             p.value_bytes <= max_radix_value_bytes;
    case strategy::elements_by_inferred_key:
      return infers_key(p, n);
    case strategy::keys_with_indices_by_radix:
      return has_whole_key;
    case strategy::keys_with_indices_compared:
      // More keys of up to 32 bits were not measured.
      return p.order == order_kind::encoded && (p.key_bits > 32 || n < min_radix_n);
    case strategy::indices_compared:
      return true;
  }
  return false;
}

/// Holds what a decision comes to; none of what is not estimated.
struct optional_strategy {
  bool is_estimated;
  strategy how;
};

constexpr optional_strategy strategy_of(const problem& p, const decision& d) {
  const layout moved = layout_of(d.with_indices ? with_indices(p) : p);
  const bool is_moved = moved == layout::elements;
  switch (d.algorithm) {
    case route::radix_sort:
      return {true, is_moved ? strategy::elements_by_radix : strategy::keys_with_indices_by_radix};
    case route::merge_sort:
      return {is_moved, strategy::elements_merged};
    case route::small_sort:
    case route::cluster_sample_sort:
    case route::single_launch_sample_sort:
    case route::sample_sort:
      if (d.infers_key) return {true, strategy::elements_by_inferred_key};
      if (is_moved) {
        return {true, p.stable ? strategy::elements_merged : strategy::elements_compared};
      }
      return {true, moved == layout::indices && order_of(p) == order_kind::opaque
                        ? strategy::indices_compared
                        : strategy::keys_with_indices_compared};
    default:
      return {false, strategy::elements_compared};
  }
}

constexpr cost_estimate estimate_of(strategy how, const problem& p, std::uint64_t n) {
  const work w = work_of(how, records_of(p), n);
  return {name_of(how), microseconds(w), static_cast<std::uint64_t>(bytes_moved(w))};
}

/// Estimates of the decision, and of the best other strategy; empty where the decision has none.
struct two_estimates {
  cost_estimate chosen, next_best;
};

constexpr two_estimates estimates_of(const problem& p, std::uint64_t n, const decision& d) {
  const optional_strategy chosen = strategy_of(p, d);
  two_estimates both;
  if (!chosen.is_estimated) return both;
  both.chosen = estimate_of(chosen.how, p, n);
  for (int i = 0; i < strategies; ++i) {
    const auto how = static_cast<strategy>(i);
    if (how == chosen.how || !may_serve(how, p, n)) continue;
    const cost_estimate other = estimate_of(how, p, n);
    const bool is_first = both.next_best.what[0] == '\0';
    if (is_first || other.microseconds < both.next_best.microseconds) both.next_best = other;
  }
  return both;
}

}  // namespace router
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

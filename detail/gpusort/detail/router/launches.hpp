// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/router/router.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace router {

/// Returns what launches of their own do before those of a route that sorts keys with indices, or
/// indices. Keys of more than max_encoded_bits are encoded by the kernels that sort them; sample
/// sort's kernels number what they read.
constexpr const char* launched_before(const problem& p, route r) {
  const bool is_by_radix = r == route::radix_sort;
  if (order_of(p) == order_kind::encoded && !is_wide_key(p)) {
    return is_by_radix && p.key_bits > 32 ? "one that encodes keys, for each word of these"
                                          : "one that encodes keys";
  }
  if (has_long_key(p) && layout_of(p) == layout::indices) return "one that encodes keys";
  return is_by_radix ? "one that numbers elements" : "";
}

/// Returns how the sort that a decision comes to is launched.
constexpr launch_plan launches_of(const problem& given, const decision& d) {
  const problem p = d.with_indices ? with_indices(given) : given;
  launch_plan launches;
  launches.sort = launched_as(d.algorithm);
  if (d.algorithm == route::nothing || d.algorithm == route::bitonic_sort) return launches;
  const layout moved = layout_of(p);
  if (moved != layout::elements) launches.before = launched_before(p, d.algorithm);
  if (d.infers_key) launches.before = "those that infer the order";
  if (moved == layout::indices) {
    launches.after = "those that move elements";
  } else if (moved == layout::keys_with_indices && p.value_ranges > 0) {
    launches.after = "those that move values";
  }
  return launches;
}

}  // namespace router
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/columns.hpp>
#include <gpusort/detail/dispatch/device_merge.hpp>
#include <gpusort/detail/dispatch/external/sort.hpp>
#include <gpusort/detail/dispatch/run_table.hpp>
#include <gpusort/error.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

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

/// Merges k sorted runs of the type of `out`, all in memory that the host reaches. Stable, lower
/// runs first; `out` overlaps none of them. Waits. Host memory of n elements where the order is not
/// less or greater of numbers, else none.
template <class Call, class T, class Compare>
void external_merge(const Call& call, const sorted_run<const T*>* runs, std::size_t k, T* out,
                    const Compare& compare) {
  using problem = problem_of<call_for_merging, true, false, Compare, T>;
  const ordered_elements<problem, T, Compare> elements(compare);
  std::vector<host_run> untyped;
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < k; ++i) {
    if (runs[i].count == 0) continue;
    untyped.push_back({runs[i].data, runs[i].count});
    n += runs[i].count;
  }
  if (n == 0) return;
  work_in_pieces(call, elements, n, untyped.size(),
                 [&](external_call& work) { work.merge(untyped, out, classify_pointer(out)); });
}

/// Merges runs that are on the host piece by piece where they, and what comes of them, do not fit
/// on the device; otherwise as without limits.
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
    std::vector<sorted_run<const T*>> runs;
    for (const auto& r : table.runs) {
      if (r.count > 0) runs.push_back({address_of(table.template first_of<0>(r)), r.count});
    }
    device_scope<Call> section(call, kinds_of(out)[0], true);
    external_merge(call, runs.data(), runs.size(), address_of(std::get<0>(out.first)), compare);
    section.finish();
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

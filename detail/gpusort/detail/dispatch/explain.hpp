// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/dispatch/sort.hpp>
#include <gpusort/detail/router/plan.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

#if GPUSORT_CUDA

/// Whether the routes read and write the range where it is, rather than a copy.
template <class Problem, class Iterator>
bool is_used_as_it_is([[maybe_unused]] Iterator first, [[maybe_unused]] pointer_kind kind) {
  if constexpr (is_contiguous_v<Iterator>) {
    const auto address = reinterpret_cast<std::uintptr_t>(address_of(first));
    return kind.device_accessible() && address % range_alignment<Problem, Iterator> == 0;
  } else {
    return false;
  }
}

/// Runs plan_sort on a device.
template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort_on_device(const Call& call, Iterator first, std::uint64_t n, const Compare&) {
  using key = representative_key_t<Compare, value_t<Iterator>>;
  using problem = problem_of<Call, Stable, false, Compare, key>;
  const pointer_kind kind = n > 0 ? kind_of_range(first) : pointer_kind{};
  const device_guard guard(kind, call);
  const device_part part(call.stream, false);
  using by_field = field_sort<problem, Compare, Iterator>;
  if constexpr (by_field::is_possible()) {
    if (n > 0 && kind.device_accessible()) return by_field::plan_for(n);
  }
  plan planned = compiled_sort<problem, key, Compare>::plan_for(n);
  if (n > 0 && !is_used_as_it_is<problem>(first, kind)) {
    planned.scratch_bytes += n * sizeof(key) + scratch_alignment;
    if constexpr (is_scattered_v<Iterator>) {
      planned.scratch_bytes += scattered_range<Iterator>::max_table_bytes(n) + scratch_alignment;
    }
  }
  return planned;
}

#endif

/// Returns the plan of a sort of the range, and the scratch of the default route, staging included.
template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort([[maybe_unused]] const Call& call, Iterator first, Iterator last,
               [[maybe_unused]] const Compare& compare) {
  [[maybe_unused]] const std::uint64_t n = length_of(first, last);
#if GPUSORT_CUDA
  if (device_count() > 0) {
    plan planned{};
    run_on_device(call, [&](const Call& own) {
      planned = plan_sort_on_device<Stable>(own, first, n, compare);
    });
    return planned;
  }
#endif
  return {route::host_sort, "there is no CUDA device", 1, 0, {}, {}};
}

template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort(const verified_call<Call>& call, Iterator first, Iterator last,
               const Compare& compare) {
  plan planned = plan_sort<Stable>(without_verify(call), first, last, compare);
#if GPUSORT_CUDA
  // Used before and after the sort, not at the same time.
  if (device_count() > 0 && planned.scratch_bytes < scratch_alignment) {
    planned.scratch_bytes = scratch_alignment;
  }
#endif
  return planned;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

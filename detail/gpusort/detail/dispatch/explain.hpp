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

/// plan_sort on a device.
template <bool Stable, class Call, class Compare, class Iterator>
plan plan_sort_on_device(const Call& call, Iterator first, std::uint64_t n, const Compare&) {
  using sorts = sorts_of_range<Call, Stable, Compare, Iterator>;
  const pointer_kind kind = n > 0 ? kind_of_range(first) : pointer_kind{};
  const device_guard guard(kind, call);
  const device_part part(call.stream, false);
  if constexpr (sorts::may_be_by_field) {
    if (n > 0 && sorts::is_by_field(kind)) return sorts::by_field::plan_for(n);
  }
  plan planned = sorts::as_elements::plan_for(n);
  if (n > 0 && !is_used_as_it_is<typename sorts::problem>(first, kind)) {
    planned.scratch_bytes += n * sizeof(typename sorts::key) + scratch_alignment;
    if constexpr (is_scattered_v<Iterator>) {
      planned.scratch_bytes += scattered_range<Iterator>::max_table_bytes(n) + scratch_alignment;
    }
  }
  return planned;
}

#endif

/// The plan of a sort of the range, and the scratch of the default route, staging included.
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
    // A proof's is used before and after the sort, not at the same time.
    if (Call::is_verified && planned.scratch_bytes < scratch_alignment) {
      planned.scratch_bytes = scratch_alignment;
    }
    return planned;
  }
#endif
  return {route::host_sort, "there is no CUDA device", 1, 0, {}, {}};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

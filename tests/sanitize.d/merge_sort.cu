// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/merge_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

template <class T>
void sort_by_merging(const std::vector<T>& values) {
  using array = gpusort::detail::key_array<T>;
  using sort = gpusort::detail::merge_sort<array, gpusort::detail::by_stored_value<opaque>>;
  expect_sorted(values, sort::scratch_bytes(values.size()), [&](T* data, void* memory) {
    sort::run(nullptr, array{data}, array{data}, values.size(), {}, memory);
  });
}

SANITIZE_CASE(merge_sort, "merge_sort_tiles_kernel", "multiway_cut_kernel", "check_cuts_kernel",
              "multiway_merge_kernel") {
  sort_by_merging(random_values(50021));
}

// Runs are looked for in many elements only. This one is in order, so nothing else is done.
SANITIZE_CASE(natural_runs, "find_natural_runs_kernel") {
  constexpr std::size_t n = gpusort::detail::tuning::merge_sort<1>::min_n_to_look;
  std::vector<std::uint8_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::uint8_t>(i >> 14);
  sort_by_merging(values);
}

}  // namespace
}  // namespace sanitize

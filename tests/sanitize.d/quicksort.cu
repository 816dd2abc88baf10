// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/quicksort.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(quicksort, "begin_quicksort_kernel", "partition_kernel", "plan_parts_kernel",
              "sort_pieces_kernel") {
  using array = gpusort::detail::key_array<std::uint32_t>;
  using sort = gpusort::detail::quicksort<array, gpusort::detail::by_stored_value<opaque>>;
  constexpr std::size_t n = 40009;
  expect_sorted(random_values(n), sort::scratch_bytes(n), [](std::uint32_t* data, void* memory) {
    sort::run(nullptr, array{data}, array{data}, n, {}, memory);
  });
}

}  // namespace
}  // namespace sanitize

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/bitonic_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

SANITIZE_CASE(bitonic_sort, "bitonic_tiles_kernel", "bitonic_steps_kernel") {
  using array = gpusort::detail::key_array<std::uint32_t>;
  using sort = gpusort::detail::bitonic_sort<array, gpusort::detail::by_stored_value<opaque>>;
  constexpr std::size_t n = 20011;
  expect_sorted(random_values(n), 0,
                [](std::uint32_t* data, void*) { sort::run(nullptr, array{data}, n, {}); });
}

}  // namespace
}  // namespace sanitize

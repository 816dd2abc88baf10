// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/small_radix_sort.hpp>
#include <gpusort/detail/algorithm/small_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

using namespace gpusort::detail;

SANITIZE_CASE(small_sort, "small_sort_kernel") {
  using array = key_array<std::uint32_t>;
  expect_sorted(random_values(900), 0, [](auto* data, void*) {
    const array keys{data};
    small_sort<array, by_stored_value<opaque>, false>::run(nullptr, keys, keys, 900, {});
  });
}

SANITIZE_CASE(small_radix_sort, "small_radix_sort_kernel") {
  for (std::size_t n : {700, 3000}) {
    expect_sorted(random_values<std::uint16_t>(n), 0, [n](auto* data, void*) {
      constexpr auto order = bit_order_of<std::uint16_t, gpusort::less>();
      small_radix_sort<std::uint16_t>::run(nullptr, order, data, data, n);
    });
  }
}

}  // namespace
}  // namespace sanitize

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/counting_sort.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

template <class Key>
void sort_by_counting(std::size_t n) {
  using sort = gpusort::detail::counting_sort<Key>;
  constexpr auto order = gpusort::detail::bit_order_of<Key, gpusort::less>();
  expect_sorted(random_values<Key>(n), sort::scratch_bytes(n),
                [n](Key* data, void* memory) { sort::run(nullptr, order, data, data, n, memory); });
}

SANITIZE_CASE(counting_sort_in_one_launch, "sort_bytes_kernel", "sort_few_shorts_kernel") {
  sort_by_counting<std::uint8_t>(5003);
  sort_by_counting<std::uint8_t>(50021);
  sort_by_counting<std::uint16_t>(1001);
}

// One byte more than one launch takes.
SANITIZE_CASE(counting_sort, "count_keys_kernel", "fill_by_counts_kernel") {
  sort_by_counting<std::uint8_t>(gpusort::detail::tuning::counting_sort<1>::max_one_launch_n + 1);
}

}  // namespace
}  // namespace sanitize

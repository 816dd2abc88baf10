// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/algorithm/segmented_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

// Segments for a few lanes, a warp, a block, a wide block, and for quicksort: pieces and sequences.
SANITIZE_CASE(segmented_sort, "list_segments_kernel", "sort_small_segments_kernel",
              "sort_block_segments_kernel", "split_segments_kernel", "sort_segment_pieces_kernel") {
  using array = gpusort::detail::key_array<std::uint32_t>;
  using sort = gpusort::detail::segmented_sort<array, gpusort::detail::by_stored_value<opaque>>;
  std::vector<std::uint64_t> offsets = {0};
  for (std::uint64_t length : {3, 20, 0, 100, 250, 1000, 3000, 6000, 8000, 30011, 1, 17}) {
    offsets.push_back(offsets.back() + length);
  }
  const std::uint64_t n = offsets.back(), k = offsets.size() - 1;
  const std::vector<std::uint32_t> values = random_values(n);
  const device_array<std::uint32_t> data(values);
  const device_array<std::uint64_t> bounds(offsets);
  const scratch memory(sort::scratch_bytes(n, k));
  sort::run(nullptr, array{data.data()}, n,
            gpusort::detail::segment_offsets<std::uint64_t>{bounds.data(), bounds.data() + 1, k},
            {}, memory.data());
  std::vector<std::uint32_t> expected = values;
  for (std::uint64_t i = 0; i < k; ++i) {
    std::sort(expected.data() + offsets[i], expected.data() + offsets[i + 1]);
  }
  expect(data.read() == expected, "not sorted");
}

}  // namespace
}  // namespace sanitize

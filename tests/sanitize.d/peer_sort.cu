// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/distributed/peer_sort.hpp>
#include <gpusort/detail/support/launch.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

using gpusort::detail::peer_counting;

/// Sorts two shards of this device.
void sort_shards(peer_counting counting, int groups) {
  using sort = gpusort::detail::peer_sort<std::uint32_t, opaque>;
  const std::vector<std::uint32_t> values = random_values(50021);
  const device_array<std::uint32_t> data(values);
  const std::size_t first = 20011;
  const bool is_done =
      sort::run({sort::shard_at(0, nullptr, data.data(), first),
                 sort::shard_at(0, nullptr, data.data() + first, values.size() - first)},
                {}, {3, counting, groups});
  expect(is_done && data.read() == sorted(values), "not sorted");
}

SANITIZE_CASE(peer_sort_by_estimate, "sample_shard_kernel", "scatter_to_peers_kernel") {
  sort_shards(peer_counting::never, 0);
}

SANITIZE_CASE(peer_sort_in_groups, "scatter_to_peers_kernel") {
  sort_shards(peer_counting::never, 3);
}

SANITIZE_CASE(peer_sort_by_counts, "sample_shard_kernel", "scatter_kernel") {
  sort_shards(peer_counting::always, 0);
}

}  // namespace
}  // namespace sanitize

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/distributed/peer_sort.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

using gpusort::detail::peer_counting;

/// Two shards of this device.
void sort_shards(peer_counting counting) {
  using sort = gpusort::detail::peer_sort<std::uint32_t, opaque>;
  const std::vector<std::uint32_t> values = random_values(50021);
  const device_array<std::uint32_t> data(values);
  const std::size_t first = 20011;
  const bool is_done =
      sort::run({sort::shard_at(0, nullptr, data.data(), first),
                 sort::shard_at(0, nullptr, data.data() + first, values.size() - first)},
                {}, {3, counting});
  expect(is_done && data.read() == sorted(values), "not sorted");
}

SANITIZE_CASE(peer_sort_by_estimate, "sample_shard_kernel", "scatter_to_peers_kernel") {
  sort_shards(peer_counting::never);
}

SANITIZE_CASE(peer_sort_by_counts, "sample_shard_kernel", "scatter_kernel") {
  sort_shards(peer_counting::always);
}

}  // namespace
}  // namespace sanitize

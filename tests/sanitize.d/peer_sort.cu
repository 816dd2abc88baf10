// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/detail/distributed/peer_sort.hpp>
#include <gpusort/detail/kernel/packed_pairs.hpp>
#include <gpusort/detail/support/launch.hpp>

#include "case.hpp"

namespace sanitize {
namespace {

using gpusort::detail::peer_counting;

/// Two shards of this device.
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

SANITIZE_CASE(packed_pairs, "pack_pairs_kernel", "unpack_pairs_kernel") {
  namespace kernel = gpusort::detail::kernel;
  const std::vector<std::uint32_t> keys = random_values(1000), values = random_values(1000);
  const device_array<std::uint32_t> from(keys), with(values), to(values), beside(keys);
  const device_array<std::uint64_t> words(std::vector<std::uint64_t>(keys.size()));
  const std::size_t blocks = 4;
  gpusort::detail::launch(kernel::pack_pairs_kernel<std::uint32_t>, blocks, kernel::packing_threads,
                          0, nullptr, from.data(), with.data(), keys.size(), ~0u, words.data());
  gpusort::detail::launch(kernel::unpack_pairs_kernel<std::uint32_t>, blocks,
                          kernel::packing_threads, 0, nullptr, words.data(), keys.size(), ~0u,
                          to.data(), beside.data());
  expect(to.read() == keys && beside.read() == values, "packed pairs are others");
}

}  // namespace
}  // namespace sanitize

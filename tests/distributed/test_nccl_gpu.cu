// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of ranks over NCCL.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <gpusort/distributed.hpp>
#include <gpusort/distributed/nccl.hpp>
#include <vector>

#include "nccl_ranks.hpp"
#include "shards_of_devices.hpp"

namespace {

using gpusort::par_gpu;
using kit::counts;
using kit::opaque;
using kit::shard_buffers;
using u32 = std::uint32_t;
namespace distributed = gpusort::distributed;

class nccl_ranks : public kit::nccl_test {};

TEST_F(nccl_ranks, sort_what_they_have) {
  const std::size_t most = kit::small_sizes_only() ? 1000 : 5000000;
  std::vector<std::size_t> each(comms_.size(), most);
  each[0] = most / 3;
  for (const bool is_empty : {false, true}) {
    if (is_empty) each.back() = 0;
    const counts n(each);
    const auto input = kit::zipf<u32>(n.total(), kit::seed());
    const shard_buffers<u32> buffers(input, n, devices_);
    const auto shards = buffers.shards();
    on_all([&](distributed::nccl_communicator& world, cudaStream_t stream, std::size_t r) {
      u32* const first = shards[r].data;
      distributed::sort(world, par_gpu.on(stream), first, first + shards[r].n);
      EXPECT_TRUE(distributed::is_sorted(world, par_gpu.on(stream), first, first + shards[r].n));
    });
    EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
    EXPECT_TRUE(buffers.intact());
  }
}

TEST_F(nccl_ranks, keep_the_order_of_equal_records) {
  using T = kit::record<24>;
  const opaque honest(kit::behavior::honest);
  const counts n(std::vector<std::size_t>(comms_.size(), kit::small_sizes_only() ? 500 : 300000));
  const auto input = kit::generate<T>(kit::distribution::few_distinct, n.total(), kit::seed());
  const shard_buffers<T> buffers(input, n, devices_);
  const auto shards = buffers.shards();
  on_all([&](distributed::nccl_communicator& world, cudaStream_t stream, std::size_t r) {
    T* const first = shards[r].data;
    distributed::stable_sort(world, par_gpu.on(stream), first, first + shards[r].n, honest);
  });
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, honest)));
}

TEST_F(nccl_ranks, balance_vectors) {
  std::vector<std::vector<u32>> parts(comms_.size());
  for (u32 i = 0; i < 1001; ++i) parts[0].push_back(i * 2654435761u);
  auto sorted = parts[0];
  std::sort(sorted.begin(), sorted.end());
  on_all([&](distributed::nccl_communicator& world, cudaStream_t stream, std::size_t r) {
    const std::uint64_t offset = distributed::sort_balanced(world, par_gpu.on(stream), parts[r]);
    EXPECT_TRUE(std::equal(parts[r].begin(), parts[r].end(),
                           sorted.begin() + static_cast<std::ptrdiff_t>(offset)));
  });
}

TEST_F(nccl_ranks, do_not_wait_for_ever) {
  if (comms_.size() < 2) GTEST_SKIP() << "one device";
  // Connections are made in the first operation, in which NCCL waits for the others by itself.
  on_all([&](distributed::nccl_communicator& world, cudaStream_t, std::size_t) {
    std::vector<std::uint64_t> all(comms_.size());
    const std::uint64_t word = 1;
    world.allgather(&word, all.data(), sizeof(word));
  });
  kit::cuda_ok(cudaSetDevice(devices_[0]));
  {
    const kit::stream stream;
    auto alone = distributed::nccl(comms_[0], stream, std::chrono::milliseconds(300));
    std::uint64_t word = 1, all[64];
    try {
      alone.allgather(&word, all, sizeof(word));
      ADD_FAILURE() << "nobody else has taken part";
    } catch (const distributed::nccl_error& e) {
      EXPECT_TRUE(e.aborted());
    }
  }
  for (std::size_t r = 1; r < comms_.size(); ++r) ncclCommAbort(comms_[r]);
  comms_.clear();
}

}  // namespace

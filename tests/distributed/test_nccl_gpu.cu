// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks over NCCL: a thread for each device of the machine, of which there may be one.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <gpusort/distributed.hpp>
#include <gpusort/distributed/nccl.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "shards_of_devices.hpp"

namespace {

using gpusort::par_gpu;
using kit::counts;
using kit::opaque;
using kit::shard_buffers;
using u32 = std::uint32_t;
namespace distributed = gpusort::distributed;

void nccl_ok(ncclResult_t status) {
  if (status != ncclSuccess) throw std::runtime_error(ncclGetErrorString(status));
}

class nccl_ranks : public kit::gpu_test {
 protected:
  void SetUp() override {
    gpu_test::SetUp();
    if (IsSkipped()) return;
    for (int device = 0; device < gpusort::detail::device_count(); ++device) {
      devices_.push_back(device);
    }
    comms_.resize(devices_.size());
    nccl_ok(ncclCommInitAll(comms_.data(), static_cast<int>(devices_.size()), devices_.data()));
  }
  void TearDown() override {
    for (const ncclComm_t comm : comms_) ncclCommDestroy(comm);
    gpu_test::TearDown();
  }

  /// Calls body(communicator, stream, rank) on a thread for each rank. What a rank throws fails
  /// the test.
  void on_all(
      const std::function<void(distributed::nccl_communicator&, cudaStream_t, std::size_t)>& body) {
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < comms_.size(); ++r) {
      threads.emplace_back([&, r] {
        try {
          kit::cuda_ok(cudaSetDevice(devices_[r]));
          const kit::stream stream;
          auto communicator = distributed::nccl(comms_[r], stream, std::chrono::seconds(30));
          body(communicator, stream, r);
          stream.synchronize();
        } catch (const std::exception& e) {
          ADD_FAILURE() << "rank " << r << ": " << e.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::vector<int> devices_;
  std::vector<ncclComm_t> comms_;
};

TEST_F(nccl_ranks, tell_each_other_and_exchange) {
  const std::size_t p = comms_.size();
  on_all([&](distributed::nccl_communicator& world, cudaStream_t, std::size_t r) {
    ASSERT_EQ(world.rank(), static_cast<int>(r));
    ASSERT_EQ(world.size(), static_cast<int>(p));
    std::vector<std::uint64_t> all(p);
    const std::uint64_t own = r + 7;
    world.allgather(&own, all.data(), sizeof(own));
    for (std::size_t i = 0; i < p; ++i) EXPECT_EQ(all[i], i + 7);
    // Rank r sends r + i + 1 bytes to rank i.
    std::vector<std::uint64_t> sent(p + 1), received(p + 1);
    for (std::size_t i = 0; i < p; ++i) {
      sent[i + 1] = sent[i] + r + i + 1;
      received[i + 1] = received[i] + i + r + 1;
    }
    std::vector<unsigned char> from(sent[p], static_cast<unsigned char>(r)), to(received[p]);
    world.alltoallv(from.data(), sent.data(), to.data(), received.data(), false);
    for (std::size_t i = 0; i < p; ++i) {
      for (std::uint64_t b = received[i]; b < received[i + 1]; ++b) EXPECT_EQ(to[b], i);
    }
  });
}

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

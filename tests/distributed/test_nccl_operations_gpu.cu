// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks tell each other and exchange over NCCL; no sort is compiled.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nccl_ranks.hpp"

namespace kit {
namespace {

class nccl_operations : public nccl_test {
 protected:
  /// Gathers: rank r tells all the others `bytes` of its own.
  static void gather(communicator& world, std::size_t r, std::size_t bytes) {
    const auto p = static_cast<std::size_t>(world.size());
    const auto value = [](std::size_t rank, std::size_t i) {
      return static_cast<unsigned char>(11 * rank + i + i / 256);
    };
    std::vector<unsigned char> own(bytes), all(p * bytes);
    for (std::size_t i = 0; i < bytes; ++i) own[i] = value(r, i);
    world.allgather(own.data(), all.data(), bytes);
    std::size_t wrong = 0;
    for (std::size_t rank = 0; rank < p; ++rank) {
      for (std::size_t i = 0; i < bytes; ++i) wrong += all[rank * bytes + i] != value(rank, i);
    }
    EXPECT_EQ(wrong, 0u) << bytes;
  }

  /// Exchanges: rank r sends `bytes` + r + 2 i to rank i, from the host's memory or the device's.
  static void exchange(communicator& world, std::size_t r, std::size_t bytes, bool on_device) {
    const auto p = static_cast<std::size_t>(world.size());
    const auto between = [&](std::size_t from, std::size_t to) { return bytes + from + 2 * to; };
    std::vector<std::uint64_t> sent(p + 1), received(p + 1);
    for (std::size_t i = 0; i < p; ++i) {
      sent[i + 1] = sent[i] + between(r, i);
      received[i + 1] = received[i] + between(i, r);
    }
    const auto value = [](std::size_t from, std::size_t to) {
      return static_cast<unsigned char>(7 * from + 3 * to + 1);
    };
    column<unsigned char> from(sent[p]);
    for (std::size_t i = 0; i < p; ++i) {
      std::fill(from.begin() + sent[i], from.begin() + sent[i + 1], value(r, i));
    }
    const gpu_memory where{on_device ? memory_kind::device : memory_kind::pageable};
    const buffer<unsigned char> out(from, 0, where), in(received[p], 0, where);
    world.alltoallv(out.data(), sent.data(), in.data(), received.data(), on_device);
    const auto to = in.read();
    for (std::size_t i = 0; i < p; ++i) {
      EXPECT_EQ(std::count(to.begin() + received[i], to.begin() + received[i + 1], value(i, r)),
                static_cast<std::ptrdiff_t>(between(i, r)))
          << bytes << " bytes, from rank " << i;
    }
  }
};

constexpr std::size_t mb = std::size_t{1} << 20;

TEST_F(nccl_operations, tell_the_others) {
  on_all([](communicator& world, cudaStream_t, std::size_t r) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{56}, 9 * mb + 1}) {
      gather(world, r, bytes);
    }
  });
}

TEST_F(nccl_operations, exchange_from_host_and_device) {
  on_all([](communicator& world, cudaStream_t, std::size_t r) {
    for (const bool on_device : {false, true}) {
      for (const std::size_t bytes : {std::size_t{0}, std::size_t{1000}, 9 * mb}) {
        exchange(world, r, bytes, on_device);
      }
    }
  });
}

TEST_F(nccl_operations, leave_a_pending_error_alone) {
  on_all([](communicator& world, cudaStream_t, std::size_t r) {
    const cudaError_t left = cudaSetDevice(-1);
    gather(world, r, 100);
    EXPECT_EQ(cudaGetLastError(), left);
    EXPECT_EQ(cudaSetDevice(-1), left);
    std::vector<std::uint64_t> none(static_cast<std::size_t>(world.size()) + 1);
    world.alltoallv(nullptr, none.data(), nullptr, none.data(), true);
    EXPECT_EQ(cudaGetLastError(), left);
  });
}

/// So that a rank whose stream is being captured can say so.
TEST_F(nccl_operations, are_not_captured) {
  on_all([](communicator& world, cudaStream_t stream, std::size_t r) {
    if (r == 0) cuda_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    gather(world, r, 100);
    exchange(world, r, 100, false);
    if (r != 0) return;
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    std::size_t nodes = 1;
    cuda_ok(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT_EQ(nodes, 0u);
    cuda_ok(cudaGraphDestroy(graph));
  });
}

}  // namespace
}  // namespace kit

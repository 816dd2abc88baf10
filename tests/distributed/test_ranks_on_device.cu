// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that share a thread and a device: the calls of <gpusort/distributed.hpp>, with elements in
// its memory or in the host's.
#include <gtest/gtest.h>

#include <cstdint>
#include <gpusort/distributed/in_process.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../kit/graph.hpp"
#include "ranks_in_threads.hpp"
#include "shards_of_devices.hpp"

namespace {

using gpusort::par_gpu;
using kit::counts;
using kit::shard_buffers;
using u32 = std::uint32_t;
namespace distributed = gpusort::distributed;

class ranks_on_device : public kit::gpu_test {};

template <class T>
std::vector<distributed::rank_range<T*>> ranges_of(const gpusort::sharded<T>& shards) {
  std::vector<distributed::rank_range<T*>> ranges;
  for (const auto& s : shards) ranges.emplace_back(s.data, s.data + s.n);
  return ranges;
}

TEST_F(ranks_on_device, sort_what_they_have) {
  for (const std::size_t p : {2, 5}) {
    for (const counts& n : kit::every_count(p, kit::small_sizes_only() ? 500 : 100000)) {
      const auto input = kit::zipf<u32>(n.total(), kit::seed());
      const shard_buffers<u32> buffers(input, n, {0});
      const auto ranges = ranges_of(buffers.shards());
      distributed::in_process world(p);
      distributed::sort(world, par_gpu, ranges);
      ASSERT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
      ASSERT_TRUE(distributed::is_sorted(world, par_gpu, ranges));
      ASSERT_TRUE(buffers.intact());
    }
  }
}

TEST_F(ranks_on_device, sort_on_a_stream_that_blocks_no_other) {
  const counts n{1000, 0, 700};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, {0});
  const kit::stream stream;
  distributed::in_process world(3);
  distributed::sort(world, gpusort::par_gpu_nosync.on(stream), ranges_of(buffers.shards()));
  stream.synchronize();
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
}

/// Leaves an error of the caller's.
cudaError_t leave_an_error() {
  const cudaError_t left = cudaSetDevice(-1);
  EXPECT_NE(left, cudaSuccess);
  return left;
}

TEST_F(ranks_on_device, neither_take_nor_hide_a_pending_error) {
  const counts n{1000, 700};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, {0});
  distributed::in_process world(2);
  for (const cudaStream_t stream : {cudaStream_t{}, cudaStreamPerThread}) {
    const cudaError_t left = leave_an_error();
    EXPECT_NO_THROW(distributed::sort(world, par_gpu.on(stream), ranges_of(buffers.shards())));
    EXPECT_EQ(cudaGetLastError(), left);
    EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
  }
  std::vector<std::vector<u32>> parts{{3, 1, 2}, {}};
  const cudaError_t left = leave_an_error();
  EXPECT_NO_THROW(distributed::sort_balanced(world, par_gpu, parts));
  EXPECT_EQ(cudaGetLastError(), left);
  EXPECT_EQ(parts[0], (std::vector<u32>{1, 2}));
}

TEST_F(ranks_on_device, work_where_no_error_is_pending) {
  namespace internal = gpusort::detail::distributed;
  using call = gpusort::detail::call<false, false, false, false, gpusort::route::nothing>;
  internal::device_local<call, gpusort::less, u32*> local({nullptr, gpusort::detail::pool_memory()},
                                                          {}, static_cast<u32*>(nullptr), 0);
  const cudaError_t left = leave_an_error();
  const bool is_right = local.on_device([] {
    return cudaPeekAtLastError() == cudaSuccess &&
           !gpusort::detail::current_device_properties().may_cooperate;
  });
  EXPECT_TRUE(is_right);
  EXPECT_EQ(cudaGetLastError(), left);
}

/// The others are told, and the capture goes on.
TEST_F(ranks_on_device, refuse_a_stream_under_capture) {
  const counts n{100, 100};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, {0});
  const auto ranges = ranges_of(buffers.shards());
  const kit::stream streams[2];
  const auto thrown = kit::on_ranks(2, [&](kit::thread_rank& ranks) {
    const auto r = static_cast<std::size_t>(ranks.rank());
    const auto policy = gpusort::par_gpu_nosync.on(streams[r]);
    const auto sort = [&] { distributed::sort(ranks, policy, ranges[r].first, ranges[r].second); };
    if (r == 0) return sort();
    kit::cuda_ok(cudaStreamBeginCapture(streams[r], cudaStreamCaptureModeThreadLocal));
    try {
      sort();
      ADD_FAILURE() << "what waits cannot be captured";
    } catch (const gpusort::cuda_error& e) {
      EXPECT_EQ(e.code(), cudaErrorStreamCaptureUnsupported);
      cudaGraph_t graph = nullptr;
      EXPECT_EQ(cudaStreamEndCapture(streams[r], &graph), cudaSuccess);
      kit::cuda_ok(cudaGraphDestroy(graph));
      throw;
    }
  });
  EXPECT_NE(thrown[0].find("cannot be captured"), std::string::npos) << thrown[0];
  EXPECT_EQ(thrown[0], thrown[1]);
  EXPECT_TRUE(kit::same_columns(buffers.read(), input));
}

TEST_F(ranks_on_device, do_not_disturb_the_capture_of_another_stream) {
  const counts n{1000, 700};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, {0});
  const kit::stream captured, own;
  distributed::in_process world(2);
  const kit::graph recorded(
      captured, [&] { distributed::sort(world, par_gpu.on(own), ranges_of(buffers.shards())); });
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
}

TEST_F(ranks_on_device, take_scratch_of_the_callers) {
  const counts n{900, 700};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, {0});
  const kit::buffer<u32> memory(std::size_t{1} << 20);
  distributed::in_process world(2);
  const auto policy = par_gpu.with(gpusort::scratch(memory.data(), std::size_t{4} << 20));
  distributed::sort(world, policy, ranges_of(buffers.shards()));
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
  EXPECT_TRUE(memory.intact());
  const auto little = par_gpu.with(gpusort::scratch(memory.data(), 100));
  EXPECT_THROW(distributed::sort(world, little, ranges_of(buffers.shards())),
               gpusort::out_of_memory);
}

TEST_F(ranks_on_device, balance_vectors) {
  const counts n{2000, 0, 1, 30};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  std::vector<std::vector<u32>> parts;
  std::size_t begin = 0;
  for (const std::size_t count : n.n) {
    parts.emplace_back(input.begin() + begin, input.begin() + begin + count);
    begin += count;
  }
  distributed::in_process world(n.n.size());
  const auto offsets = distributed::sort_balanced(world, par_gpu, parts);
  const auto sorted = kit::stably_sorted(input, gpusort::less{});
  std::vector<u32> all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(offsets[i], all.size());
    EXPECT_LE(parts[i].size() - n.total() / 4, 1u);
    all.insert(all.end(), parts[i].begin(), parts[i].end());
  }
  EXPECT_TRUE(std::equal(all.begin(), all.end(), sorted.begin(), sorted.end()));
}

TEST_F(ranks_on_device, tell_elements_by_rank_and_divide) {
  const counts n{900, 0, 500};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const auto sorted = kit::stably_sorted(input, gpusort::less{});
  const shard_buffers<u32> buffers(input, n, {0});
  distributed::in_process world(3);
  const auto found =
      distributed::select(world, par_gpu, ranges_of(buffers.shards()), {0, 700, 1399});
  EXPECT_EQ(found, (std::vector<u32>{sorted[0], sorted[700], sorted[1399]}));
  const auto first = buffers.shards()[0];
  const std::vector<u32> splitters{sorted[350], sorted[700]};
  const auto offsets = distributed::partition(par_gpu, first.data, first.data + first.n, splitters);
  ASSERT_EQ(offsets.size(), 4u);
  const auto own = buffers.read();
  for (std::size_t i = 0; i < first.n; ++i) {
    const std::size_t part = (own[i] >= splitters[0]) + (own[i] >= splitters[1]);
    EXPECT_TRUE(offsets[part] <= i && i < offsets[part + 1]);
  }
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks do while an exchange is under way, next to a kernel that holds many multiprocessors
// until the host lets it go, as a communication kernel does that waits for another rank.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <gpusort/devices.hpp>
#include <mutex>
#include <thread>
#include <vector>

#include "shards_of_devices.hpp"

namespace {

namespace distributed = gpusort::detail::distributed;
using u32 = std::uint32_t;

__global__ void hold_kernel(const volatile int* go) {
  while (*go == 0) {
  }
}

/// Blocks that fill a multiprocessor each, until it goes out of scope, or for ten seconds.
class holder {
 public:
  explicit holder(int blocks) {
    kit::cuda_ok(cudaHostAlloc(reinterpret_cast<void**>(&go_), sizeof(int), cudaHostAllocMapped));
    *go_ = 0;
    int most = 0;
    kit::cuda_ok(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    kit::cuda_ok(
        cudaFuncSetAttribute(hold_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    hold_kernel<<<blocks, 1024, static_cast<std::size_t>(most), stream_>>>(go_);
    kit::cuda_ok(cudaGetLastError());
    watch_ = std::thread([this] {
      std::unique_lock<std::mutex> lock(mutex_);
      has_expired_ = !let_go_.wait_for(lock, std::chrono::seconds(10), [&] { return is_over_; });
      *static_cast<volatile int*>(go_) = 1;
    });
  }
  ~holder() {
    release();
    stream_.synchronize();
    cudaFreeHost(go_);
  }

  /// Returns false where it has waited for ten seconds: something has waited for it.
  bool release() {
    if (!watch_.joinable()) return !has_expired_;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
    }
    let_go_.notify_all();
    watch_.join();
    return !has_expired_;
  }

 private:
  kit::stream stream_;
  int* go_ = nullptr;
  std::thread watch_;
  std::mutex mutex_;
  std::condition_variable let_go_;
  bool is_over_ = false;
  bool has_expired_ = false;
};

class beside_communication : public kit::gpu_test {};

TEST_F(beside_communication, samples_are_ordered_and_runs_merged) {
  using call = distributed::sorting_call<
      gpusort::detail::call<false, false, false, false, gpusort::route::nothing>, false>;
  const kit::stream stream;
  const call own{{stream, gpusort::detail::pool_memory()}};
  constexpr std::size_t n = 200000, count = 8192;
  const auto input = kit::generate<u32>(kit::distribution::uniform, n, kit::seed());
  const kit::buffer<u32> range(input, 0);
  const auto sort = [&](bool is_held) {
    distributed::device_local<call, gpusort::less, u32*> local(own, {}, range.data(), n);
    local.sort(false);
    local.prepare(n);
    int multiprocessors = 0;
    kit::cuda_ok(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    std::unique_ptr<holder> held;
    if (is_held) held = std::make_unique<holder>(multiprocessors / 4);
    const distributed::window all{0, n, count, 0};
    std::vector<u32> samples(count);
    std::vector<std::uint32_t> order(count);
    local.sample(&all, 1, samples.data());
    local.order(samples.data(), count, order.data());
    for (std::size_t i = 1; i < count; ++i) EXPECT_LE(samples[order[i - 1]], samples[order[i]]);
    kit::cuda_ok(cudaMemcpyAsync(local.receive_buffer(0), local.data(0), n * sizeof(u32),
                                 cudaMemcpyDeviceToDevice, stream));
    const std::uint64_t runs[] = {0, n / 3, n / 2, n};
    local.merge(runs, 3);
    local.finish(n);
    stream.synchronize();
    if (is_held) EXPECT_TRUE(held->release()) << "waited for the kernel that holds";
  };
  sort(false);  // loads kernels, which waits for those that run
  sort(true);
  EXPECT_TRUE(kit::same_columns(range.read(), kit::stably_sorted(input, gpusort::less{})));
}

/// That the test above would see it: a sort by blocks that wait for each other does wait.
TEST_F(beside_communication, a_sort_of_cooperating_blocks_would_wait) {
  const auto input = kit::generate<u32>(kit::distribution::uniform, 500000, kit::seed());
  const kit::buffer<u32> range(input, 0), first(input, 0);
  const auto plan = gpusort::explain(gpusort::par_gpu, range.data(), range.data() + input.size());
  if (plan.algorithm != gpusort::route::single_launch_sample_sort) {
    GTEST_SKIP() << "this device sorts them otherwise";
  }
  gpusort::sort(gpusort::par_gpu, first.data(), first.data() + input.size());
  int multiprocessors = 0;
  kit::cuda_ok(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  holder held(multiprocessors / 4);
  const kit::stream stream;
  gpusort::sort(gpusort::par_gpu.on(stream), range.data(), range.data() + input.size());
  EXPECT_FALSE(held.release());
}

}  // namespace

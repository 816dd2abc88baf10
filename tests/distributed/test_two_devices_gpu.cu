// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shards and host ranges on two devices and more: skipped where there is one
// (tests/gpu_suite --two-devices).
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <gpusort/devices.hpp>
#include <string>
#include <thread>
#include <vector>

#include "../kit/counting_allocator.hpp"
#include "../kit/places.hpp"
#include "../kit/refusal.hpp"
#include "shards_of_devices.hpp"

namespace {

using gpusort::par_gpu;
using kit::counts;
using kit::opaque;
using kit::shard_buffers;
using u32 = std::uint32_t;

class two_devices : public kit::gpu_test {
 protected:
  void SetUp() override {
    gpu_test::SetUp();
    if (IsSkipped()) return;
    for (int device = 0; device < gpusort::detail::device_count(); ++device) {
      devices_.push_back(device);
    }
    if (devices_.size() < 2) GTEST_SKIP() << "one device";
  }
  void TearDown() override {
    for (const int device : devices_) {
      const kit::on_device guard(device);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "device " << device;
    }
    if (!devices_.empty()) {
      EXPECT_EQ(gpusort::detail::current_device(), 0) << "the caller's device was changed";
    }
  }

  std::vector<int> devices_;
};

std::size_t most() { return kit::small_sizes_only() ? 700 : 3000000; }

TEST_F(two_devices, sort_shards_whatever_their_counts) {
  for (const std::size_t p : {devices_.size(), 2 * devices_.size() + 1}) {
    for (const counts& n : kit::every_count(p, most())) {
      for (const kit::distribution d :
           {kit::distribution::uniform, kit::distribution::all_equal, kit::distribution::reverse}) {
        const auto input = kit::generate<u32>(d, n.total(), kit::seed());
        const shard_buffers<u32> buffers(input, n, devices_);
        gpusort::sort(par_gpu, buffers.shards());
        ASSERT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})))
            << p << " shards, " << n.total() << " elements, " << kit::name_of(d);
        ASSERT_TRUE(buffers.intact());
        ASSERT_TRUE(gpusort::is_sorted(par_gpu, buffers.shards()));
      }
    }
  }
}

/// Shards so large that the exchange is sample sort's first level.
TEST_F(two_devices, sort_large_shards_by_buckets) {
  const std::size_t large = std::size_t{1} << 23;
  const counts n{large, large + 1};
  for (const kit::distribution d :
       {kit::distribution::uniform, kit::distribution::few_distinct, kit::distribution::sorted}) {
    const auto input = kit::generate<u32>(d, n.total(), kit::seed());
    const shard_buffers<u32> buffers(input, n, devices_);
    EXPECT_EQ(gpusort::explain(par_gpu, buffers.shards()).algorithm, gpusort::route::sample_sort);
    gpusort::sort(par_gpu, buffers.shards());
    ASSERT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})))
        << kit::name_of(d);
    ASSERT_TRUE(buffers.intact());
  }
}

TEST_F(two_devices, sort_shards_that_begin_anywhere) {
  const counts n{most(), most() / 2};
  const auto input = kit::zipf<u32>(n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, devices_, 3);
  gpusort::stable_sort(par_gpu, buffers.shards());
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
  EXPECT_TRUE(buffers.intact());
}

TEST_F(two_devices, balance_shards) {
  counts n{most(), 10};
  n.room = {most(), most()};
  const auto input = kit::zipf<u32>(n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, devices_);
  const auto result = gpusort::sort_balanced(par_gpu, buffers.shards());
  EXPECT_LE(result[0].n - result[1].n, 1u);
  EXPECT_TRUE(kit::same_columns(buffers.read({result[0].n, result[1].n}),
                                kit::stably_sorted(input, gpusort::less{})));
}

TEST_F(two_devices, keep_the_order_of_equal_records) {
  using T = kit::record<24>;
  const opaque honest(kit::behavior::honest);
  const counts n{most() / 4, most() / 8, most() / 4, 3};
  for (const kit::distribution d : {kit::distribution::uniform, kit::distribution::few_distinct}) {
    const auto input = kit::generate<T>(d, n.total(), kit::seed());
    const shard_buffers<T> buffers(input, n, devices_);
    gpusort::stable_sort(par_gpu, buffers.shards(), honest);
    EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, honest)));
    EXPECT_TRUE(buffers.intact());
  }
}

TEST_F(two_devices, permute_whatever_the_comparator_says) {
  using T = kit::record<24>;
  for (const kit::behavior m : kit::every_inconsistent_comparator) {
    const opaque liar(m, kit::seed());
    const counts n{most() / 4, most() / 8, 1};
    const auto input = kit::generate<T>(kit::distribution::few_distinct, n.total(), kit::seed());
    const shard_buffers<T> buffers(input, n, devices_);
    gpusort::sort(par_gpu, buffers.shards(), liar);
    ASSERT_TRUE(kit::same_multiset(buffers.read(), input)) << kit::name_of(m);
  }
}

TEST_F(two_devices, take_values_along) {
  const counts n{most(), most() / 3};
  const auto input = kit::generate<u32>(kit::distribution::few_distinct, n.total(), kit::seed());
  const auto places = kit::places_of<u32>(n.total());
  const shard_buffers<u32> keys(input, n, devices_), values(places, n, devices_);
  gpusort::stable_sort_by_key(par_gpu, keys.shards(), values.shards());
  EXPECT_TRUE(kit::moved_with_places(input, keys.read(), values.read(), gpusort::less{},
                                     kit::promise::stability));
}

TEST_F(two_devices, sort_host_ranges) {
  const std::size_t n = gpusort::detail::min_spread_n + 4321;
  for (const kit::memory_kind where : {kit::memory_kind::pinned, kit::memory_kind::pageable}) {
    const auto input = kit::generate<u32>(kit::distribution::uniform, n, kit::seed());
    const kit::buffer<u32> range(input, 1, kit::gpu_memory{where});
    gpusort::sort(par_gpu.on_devices(), range.data(), range.data() + n);
    EXPECT_TRUE(kit::same_columns(range.read(), kit::stably_sorted(input, gpusort::less{})))
        << kit::name_of(where);
    EXPECT_TRUE(range.intact());
    gpusort::stable_sort(par_gpu.on_devices({1, 0}), range.data(), range.data() + n,
                         gpusort::greater{});
    EXPECT_TRUE(kit::same_columns(range.read(), kit::stably_sorted(input, gpusort::greater{})));
  }
}

TEST_F(two_devices, begin_after_the_work_of_a_stream) {
  const counts n{most(), most()};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> source(input, n, devices_),
      buffers(kit::column<u32>(n.total()), n, devices_);
  const kit::on_device guard(devices_[1]);
  const kit::stream stream;
  const auto from = source.shards(), to = buffers.shards();
  const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  kit::cuda_ok(cudaLaunchHostFunc(stream, sleep, nullptr));
  for (std::size_t i = 0; i < 2; ++i) {
    kit::cuda_ok(cudaMemcpyAsync(to[i].data, from[i].data, to[i].n * sizeof(u32), cudaMemcpyDefault,
                                 stream));
  }
  gpusort::sort(par_gpu.on(stream), to);
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
  kit::cuda_ok(cudaSetDevice(devices_[1]));
}

/// An allocator for several threads, of which one device's allocations fail.
class failing_on_device {
 public:
  using value_type = char;
  explicit failing_on_device(int device) : device_(device) {}

  char* allocate(std::size_t bytes) {
    void* p = nullptr;
    if (gpusort::detail::current_device() == device_) throw std::bad_alloc();
    if (cudaMalloc(&p, bytes) != cudaSuccess) throw std::bad_alloc();
    return static_cast<char*>(p);
  }
  void deallocate(char* p, std::size_t) noexcept {
    cudaDeviceSynchronize();
    cudaFree(p);
  }

 private:
  int device_;
};

TEST_F(two_devices, keep_what_they_have_where_one_has_no_memory) {
  const counts n{most(), most() / 2};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  for (const int device : devices_) {
    const shard_buffers<u32> buffers(input, n, devices_);
    failing_on_device allocator(device);
    try {
      gpusort::sort(par_gpu(allocator), buffers.shards());
      ADD_FAILURE() << "there was no memory on device " << device;
    } catch (const gpusort::out_of_memory& e) {
      EXPECT_NE(std::string(e.what()).find("device " + std::to_string(device)), std::string::npos);
    }
    const auto result = buffers.read();
    EXPECT_TRUE(
        kit::same_multiset(kit::part_of(result, 0, n.n[0]), kit::part_of(input, 0, n.n[0])));
    EXPECT_TRUE(kit::same_multiset(result, input));
  }
}

TEST_F(two_devices, refuse_values_of_another_device) {
  const counts n{100, 100};
  const auto input = kit::generate<u32>(kit::distribution::uniform, 200, kit::seed());
  const shard_buffers<u32> keys(input, n, {0, 1}), values(input, n, {1, 0});
  kit::expect_refusal("sort_by_key", "a shard of values is not on the device of its keys",
                      [&] { gpusort::sort_by_key(par_gpu, keys.shards(), values.shards()); });
  EXPECT_TRUE(kit::same_columns(keys.read(), input));
}

/// Without access to each other's memory, of devices that have it.
TEST_F(two_devices, copy_through_the_host_where_they_must) {
  namespace distributed = gpusort::detail::distributed;
  const auto input = kit::generate<u32>(kit::distribution::uniform, 5000000, kit::seed());
  const counts halves{input.size() / 2, input.size() / 2};
  for (const bool always : {false, true}) {
    const shard_buffers<u32> from(input, halves, devices_);
    const shard_buffers<u32> to(kit::column<u32>(input.size()), halves, devices_);
    distributed::device_links links({0, 1}, always);
    const auto source = from.shards(), target = to.shards();
    links.begin_copies();
    for (const std::size_t i : {0, 1}) {
      links.copy(i, source[i].data, 1 - i, target[1 - i].data, source[i].n * sizeof(u32));
    }
    links.end_copies();
    links.wait();
    const auto found = to.read();
    const std::size_t half = halves.n[0];
    EXPECT_TRUE(
        kit::same_columns(kit::part_of(found, 0, half), kit::part_of(input, half, 2 * half)));
    EXPECT_TRUE(
        kit::same_columns(kit::part_of(found, half, 2 * half), kit::part_of(input, 0, half)));
  }
}

}  // namespace

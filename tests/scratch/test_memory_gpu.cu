// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where scratch comes from and when it goes back: the library's pool, the caller's allocators and
// buffers; and the copies between host and device.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/merge.hpp>
#include <gpusort/sort.hpp>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../kit/allocator_spellings.hpp"
#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/stream_test.hpp"

namespace {

using namespace gpusort::detail;
using gpusort::par_gpu;
using gpusort::par_gpu_nosync;

constexpr std::size_t megabyte = std::size_t{1} << 20;

struct opaque_less {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

std::vector<std::uint32_t> random_keys(std::size_t n) {
  std::mt19937 random(static_cast<std::uint32_t>(n));
  std::vector<std::uint32_t> keys(n);
  for (auto& key : keys) key = static_cast<std::uint32_t>(random());
  return keys;
}

/// Keys on the device, with what they must become.
class device_keys {
 public:
  explicit device_keys(std::size_t n) : original_(random_keys(n)), sorted_(original_) {
    std::sort(sorted_.begin(), sorted_.end());
    kit::cuda_ok(cudaMalloc(&data_, n * sizeof(std::uint32_t)));
    restore();
  }
  device_keys(const device_keys&) = delete;
  device_keys& operator=(const device_keys&) = delete;
  ~device_keys() { cudaFree(data_); }

  std::uint32_t* begin() const { return data_; }
  std::uint32_t* end() const { return data_ + original_.size(); }
  void restore() { kit::copy_and_wait(data_, original_.data(), bytes()); }

  std::vector<std::uint32_t> read() const {
    std::vector<std::uint32_t> keys(original_.size());
    kit::cuda_ok(cudaDeviceSynchronize());
    kit::cuda_ok(cudaMemcpy(keys.data(), data_, bytes(), cudaMemcpyDefault));
    return keys;
  }
  bool is_sorted() const { return read() == sorted_; }
  bool is_permutation() const {
    auto keys = read();
    std::sort(keys.begin(), keys.end());
    return keys == sorted_;
  }

 private:
  std::size_t bytes() const { return original_.size() * sizeof(std::uint32_t); }

  std::vector<std::uint32_t> original_;
  std::vector<std::uint32_t> sorted_;
  std::uint32_t* data_ = nullptr;
};

/// Keeps a stream busy from here until release(): 20 seconds at most, so that a test that goes
/// wrong fails and does not hang.
__global__ void wait_for_kernel(const volatile int* released) {
  const long long begin = clock64();
  while (*released == 0 && clock64() - begin < 40'000'000'000) {
  }
}

class stream_blocker {
 public:
  stream_blocker() {
    kit::cuda_ok(cudaMallocHost(&released_, sizeof(int)));
    *released_ = 1;
    wait_for_kernel<<<1, 1>>>(released_);  // loaded now: loading could wait for a running kernel
    kit::cuda_ok(cudaDeviceSynchronize());
  }
  stream_blocker(const stream_blocker&) = delete;
  stream_blocker& operator=(const stream_blocker&) = delete;
  ~stream_blocker() {
    release();
    cudaDeviceSynchronize();
    cudaFreeHost(released_);
  }
  void block(cudaStream_t stream) {
    *released_ = 0;
    wait_for_kernel<<<1, 1, 0, stream>>>(released_);
    kit::cuda_ok(cudaGetLastError());
  }
  void release() { *static_cast<volatile int*>(released_) = 1; }

 private:
  int* released_ = nullptr;
};

bool has_pools() { return current_device_properties().has_memory_pools; }

std::uint64_t pool_reserves() {
  std::uint64_t bytes = 0;
  kit::cuda_ok(cudaMemPoolGetAttribute(device_pools::instance().pool_of(current_device()),
                                       cudaMemPoolAttrReservedMemCurrent, &bytes));
  return bytes;
}

void release_everything() {
  kit::cuda_ok(cudaDeviceSynchronize());
  gpusort::release_scratch();
}

#define SKIP_WITHOUT_POOLS() \
  if (!has_pools()) GTEST_SKIP() << "this device has no memory pools"

// ---- The library's pool ----

class memory_pool : public kit::gpu_test {};

TEST_F(memory_pool, keeps_its_memory_between_calls_and_gives_it_back_on_request) {
  SKIP_WITHOUT_POOLS();
  release_everything();
  EXPECT_EQ(pool_reserves(), 0u);
  const kit::stream stream;
  { const scratch_buffer first(pool_memory(), 64 * megabyte, stream); }
  stream.synchronize();
  const std::uint64_t kept = pool_reserves();
  EXPECT_GE(kept, 64 * megabyte);
  for (int repetition = 0; repetition < 3; ++repetition) {
    { const scratch_buffer again(pool_memory(), 64 * megabyte, stream); }
    stream.synchronize();
    EXPECT_EQ(pool_reserves(), kept);
  }
  release_everything();
  EXPECT_EQ(pool_reserves(), 0u);
}

TEST_F(memory_pool, gives_nothing_back_that_is_in_use) {
  SKIP_WITHOUT_POOLS();
  release_everything();
  const kit::stream stream;
  const scratch_buffer used(pool_memory(), 64 * megabyte, stream);
  ASSERT_TRUE(used);
  kit::cuda_ok(cudaMemsetAsync(used.data(), 0x5A, used.size(), stream));
  release_everything();
  EXPECT_GE(pool_reserves(), 64 * megabyte);
  unsigned char last = 0;
  kit::cuda_ok(cudaMemcpy(&last, used.as<char>(used.size() - 1), 1, cudaMemcpyDefault));
  EXPECT_EQ(last, 0x5A);
}

TEST_F(memory_pool, is_aligned) {
  const kit::stream stream;
  std::vector<scratch_buffer> buffers;
  for (std::size_t bytes : {1, 3, 255, 257, 100'000}) {
    buffers.emplace_back(pool_memory(), bytes, stream);
    EXPECT_TRUE(is_aligned(buffers.back().data()));
  }
}

TEST_F(memory_pool, says_null_when_the_device_has_not_so_much) {
  const kit::stream stream;
  const scratch_buffer huge(pool_memory(), std::size_t{1} << 50, stream);
  EXPECT_FALSE(huge);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_TRUE(scratch_buffer(pool_memory(), megabyte, stream));
}

TEST_F(memory_pool, serves_threads_at_once) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      try {
        const kit::stream stream;
        for (int i = 0; i < 50; ++i) {
          const scratch_buffer buffer(pool_memory(), megabyte, stream);
          if (!buffer) ++failures;
          if (i % 10 == 0) gpusort::release_scratch();
        }
        stream.synchronize();
      } catch (...) {
        ++failures;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(memory_pool, a_second_sort_of_the_same_size_allocates_nothing) {
  SKIP_WITHOUT_POOLS();
  device_keys keys(4 * megabyte);
  const auto sort_all = [&] {
    gpusort::sort(par_gpu, keys.begin(), keys.end());
    EXPECT_TRUE(keys.is_sorted());
    keys.restore();
    gpusort::sort(par_gpu, keys.begin(), keys.end(), opaque_less{});
    EXPECT_TRUE(keys.is_sorted());
    keys.restore();
    gpusort::stable_sort(par_gpu, keys.begin(), keys.end(), opaque_less{});
    EXPECT_TRUE(keys.is_sorted());
    keys.restore();
  };
  release_everything();
  sort_all();
  const std::uint64_t kept = pool_reserves();
  const std::size_t free_before = kit::free_device_memory();
  EXPECT_GT(kept, 0u);
  sort_all();
  EXPECT_EQ(pool_reserves(), kept);
  EXPECT_EQ(kit::free_device_memory(), free_before);
  release_everything();
  EXPECT_EQ(pool_reserves(), 0u);
}

TEST_F(memory_pool, makes_no_stream_wait_for_another) {
  SKIP_WITHOUT_POOLS();
  int allows = 1;
  kit::cuda_ok(cudaMemPoolGetAttribute(device_pools::instance().pool_of(current_device()),
                                       cudaMemPoolReuseAllowInternalDependencies, &allows));
  EXPECT_EQ(allows, 0);
}

/// Takes device memory until no more than `left` bytes can be allocated.
class hog {
 public:
  explicit hog(std::size_t left) {
    for (std::size_t size = std::size_t{1} << 34; size >= megabyte / 2; size /= 2) {
      while (kit::free_device_memory() >= left + size) {
        void* p = nullptr;
        if (cudaMalloc(&p, size) != cudaSuccess) break;
        blocks_.push_back(p);
      }
      cudaGetLastError();
    }
  }
  hog(const hog&) = delete;
  hog& operator=(const hog&) = delete;
  ~hog() {
    for (void* p : blocks_) cudaFree(p);
  }

 private:
  std::vector<void*> blocks_;
};

// Less than what the pool grows by is left, and is allocated all the same.
TEST_F(memory_pool, leaves_little_memory_to_those_who_need_little) {
  SKIP_WITHOUT_POOLS();
  const kit::stream stream;
  device_keys keys(16 * megabyte);
  const auto merge = [&](const auto& policy) {
    const auto middle = keys.begin() + 5 * megabyte;
    gpusort::sort(par_gpu.with(gpusort::in_place), keys.begin(), middle);
    gpusort::sort(par_gpu.with(gpusort::in_place), middle, keys.end());
    gpusort::inplace_merge(policy, keys.begin(), middle, keys.end());
  };
  merge(par_gpu.with(gpusort::in_place));  // loads its kernels
  merge(par_gpu);
  for (int round = 0; round < 3; ++round) {
    release_everything();
    const hog others(4 * megabyte);
    keys.restore();
    EXPECT_NO_THROW(merge(par_gpu.on(stream))) << kit::free_device_memory() << " bytes are free";
    EXPECT_TRUE(keys.is_sorted());
    keys.restore();
    EXPECT_NO_THROW(merge(par_gpu_nosync.on(stream)));
    EXPECT_TRUE(keys.is_sorted());
  }
  release_everything();
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// ---- Capture ----

class capture : public kit::stream_test {
 protected:
  void begin() { kit::cuda_ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal)); }
  /// Ends the capture and runs what was captured, twice.
  void run_graph() {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (int run = 0; run < 2; ++run) {
      EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
      EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    }
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
};

TEST_F(capture, allocates_and_frees_in_the_graph) {
  SKIP_WITHOUT_POOLS();
  release_everything();
  begin();
  {
    const scratch_buffer a(pool_memory(), 8 * megabyte, stream_);
    const scratch_buffer b(pool_memory(), 100, stream_);
    ASSERT_TRUE(a && b);
    kit::cuda_ok(cudaMemsetAsync(a.data(), 1, a.size(), stream_));
    kit::cuda_ok(cudaMemsetAsync(b.data(), 2, b.size(), stream_));
  }
  run_graph();
  EXPECT_EQ(pool_reserves(), 0u) << "the graph uses memory of the pool";
}

TEST_F(capture, takes_a_stream_ordered_resource) {
  SKIP_WITHOUT_POOLS();
  kit::device_ledger books;
  kit::resource_3_1 resource;
  resource.books = &books;
  const auto policy = par_gpu_nosync(resource).on(stream_);
  begin();
  {
    const scratch_buffer a(memory_of(policy), megabyte, stream_);
    ASSERT_TRUE(a);
    kit::cuda_ok(cudaMemsetAsync(a.data(), 1, a.size(), stream_));
  }
  run_graph();
  EXPECT_TRUE(books.balanced());
}

TEST_F(capture, refuses_an_allocator_without_stream_order) {
  kit::device_ledger books;
  kit::plain_allocator<char> allocator{&books};
  const auto policy = par_gpu_nosync(allocator).on(stream_);
  begin();
  EXPECT_THROW(scratch_buffer(memory_of(policy), megabyte, stream_), gpusort::cuda_error);
  EXPECT_EQ(books.calls, 0u);
  run_graph();
}

TEST_F(capture, takes_the_callers_buffer) {
  void* buffer = nullptr;
  kit::cuda_ok(cudaMalloc(&buffer, megabyte));
  const auto policy = par_gpu_nosync.on(stream_).with(gpusort::scratch(buffer, megabyte));
  begin();
  {
    const scratch_buffer a(memory_of(policy), megabyte, stream_);
    ASSERT_EQ(a.data(), buffer);
    kit::cuda_ok(cudaMemsetAsync(a.data(), 1, a.size(), stream_));
  }
  run_graph();
  cudaFree(buffer);
}

TEST_F(capture, is_not_disturbed_by_other_threads) {
  begin();
  std::string failure;
  std::thread([&] {
    try {
      const kit::stream other;
      { const scratch_buffer scratch(pool_memory(), 16 * megabyte, other); }
      std::vector<char> host(20 * megabyte);
      scratch_buffer device(pool_memory(), host.size(), other);
      copy_to_device(device.data(), host.data(), host.size(), {}, other);
      copy_to_host(host.data(), device.data(), host.size(), {}, other);
      kit::device_ledger books;
      device = scratch_buffer();
      gpusort::release_scratch();
    } catch (const std::exception& e) {
      failure = e.what();
    }
  }).join();
  EXPECT_EQ(failure, "");
  run_graph();
}

/// Uses the library for the first time in a process, on a stream that is being captured or next to
/// one.
int first_use_under_capture(bool same_stream) {
  try {
    const kit::stream captured;
    const kit::stream other;
    kit::cuda_ok(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
    {
      const cudaStream_t stream = same_stream ? captured : other;
      const scratch_buffer scratch(pool_memory(), megabyte, stream);
      if (!scratch) return 1;
    }
    cudaGraph_t graph = nullptr;
    kit::cuda_ok(cudaStreamEndCapture(captured, &graph));
    kit::cuda_ok(cudaGraphDestroy(graph));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

TEST_F(capture, survives_the_creation_of_the_pool) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a new process, where there is no pool yet
  EXPECT_EXIT(std::_Exit(first_use_under_capture(true)), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(first_use_under_capture(false)), ::testing::ExitedWithCode(0), "");
}

// ---- The caller's allocators ----

template <class Allocator>
class device_allocator : public kit::gpu_test {};

using allocators =
    ::testing::Types<kit::plain_allocator<char>, kit::plain_allocator<double>,
                     kit::fancy_allocator<int>, kit::thrust_resource, kit::rmm_resource,
                     kit::rmm_allocator<int>, kit::resource_3_0, kit::async_resource_3_0,
                     kit::synchronous_resource_3_1, kit::resource_3_1>;
TYPED_TEST_SUITE(device_allocator, allocators);

TYPED_TEST(device_allocator, serves_sorts_and_gets_everything_back) {
  kit::device_ledger books;
  auto allocator = kit::allocator_for<TypeParam>(books);
  const kit::stream stream;
  device_keys keys(megabyte / 2);

  gpusort::sort(par_gpu(allocator).on(stream), keys.begin(), keys.end());
  EXPECT_GT(books.calls, 0u);
  EXPECT_TRUE(books.balanced()) << "under par_gpu it is all back when the call returns";
  EXPECT_TRUE(keys.is_sorted());

  keys.restore();
  books.calls = 0;
  gpusort::sort(par_gpu_nosync(allocator).on(stream), keys.begin(), keys.end());
  EXPECT_GT(books.calls, 0u);
  release_everything();
  EXPECT_TRUE(books.balanced());
  EXPECT_TRUE(keys.is_sorted());
}

TYPED_TEST(device_allocator, gets_its_memory_back_only_after_the_stream_has_passed) {
  kit::device_ledger books;
  auto allocator = kit::allocator_for<TypeParam>(books);
  const kit::stream stream;
  const auto policy = par_gpu_nosync(allocator).on(stream);
  release_everything();  // what would make the release below wait for the device
  stream_blocker blocker;
  {
    const scratch_buffer buffer(memory_of(policy), megabyte, stream);
    blocker.block(stream);
  }
  const bool ordered = spelling_of<TypeParam>::stream_ordered;
  EXPECT_EQ(books.live.empty(), ordered);
  gpusort::release_scratch();
  EXPECT_EQ(books.live.empty(), ordered);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  blocker.release();
  stream.synchronize();
  // The next call with the allocator is enough.
  { const scratch_buffer buffer(memory_of(policy), 100, stream); }
  EXPECT_LE(books.live.size(), 1u);
  release_everything();
  EXPECT_TRUE(books.balanced());
}

TYPED_TEST(device_allocator, may_be_a_copy_that_nobody_keeps) {
  if constexpr (std::is_copy_constructible_v<TypeParam>) {
    kit::device_ledger books;
    const kit::stream stream;
    {
      const auto policy = par_gpu_nosync(kit::allocator_for<TypeParam>(books)).on(stream);
      const scratch_buffer buffer(memory_of(policy), megabyte, stream);
      EXPECT_TRUE(buffer);
    }
    release_everything();
    EXPECT_TRUE(books.balanced());
  }
}

TEST_F(memory_pool, other_allocators_do_not_drain_mine) {
  kit::device_ledger mine_books;
  kit::device_ledger other_books;
  kit::plain_allocator<char> mine{&mine_books};
  kit::plain_allocator<char> other{&other_books};
  const kit::stream stream;
  { const scratch_buffer buffer(memory_of(par_gpu_nosync(mine)), 100, stream); }
  stream.synchronize();
  { const scratch_buffer buffer(memory_of(par_gpu_nosync(other)), 100, stream); }
  EXPECT_EQ(mine_books.live.size(), 1u);
  { const scratch_buffer buffer(memory_of(par_gpu_nosync(mine)), 100, stream); }
  release_everything();
  EXPECT_TRUE(mine_books.balanced());
  EXPECT_TRUE(other_books.balanced());
}

// ---- Allocations that fail ----

class failing_allocation : public kit::gpu_test {
 protected:
  static constexpr std::size_t n = 100'000;

  /// Calls sort() with each single allocation failing, and with all from each on. Where it throws,
  /// it may only be for want of memory, and the keys are a permutation.
  template <class Sort>
  void at_every_allocation(device_keys& keys, bool may_throw, Sort sort) {
    for (const bool only_one : {true, false}) {
      for (std::size_t k = 0;; ++k) {
        SCOPED_TRACE("allocation " + std::to_string(k) + (only_one ? "" : " and all after it"));
        kit::counting_allocator allocator;
        only_one ? allocator.fail(k, k + 1) : allocator.fail(k);
        bool thrown = false;
        keys.restore();
        try {
          sort(allocator);
        } catch (const gpusort::out_of_memory&) {
          thrown = true;
          EXPECT_TRUE(may_throw);
        }
        release_everything();
        EXPECT_TRUE(thrown ? keys.is_permutation() : keys.is_sorted());
        EXPECT_TRUE(allocator.clean());
        ASSERT_LT(k, 100u) << "does it never end?";
        if (allocator.calls() <= k) break;  // none failed
      }
    }
  }
};

TEST_F(failing_allocation, sort_less) {
  device_keys keys(n);
  at_every_allocation(keys, false, [&](kit::counting_allocator& allocator) {
    gpusort::sort(par_gpu(allocator), keys.begin(), keys.end());
  });
}

TEST_F(failing_allocation, sort_less_of_short_keys_does_without_bucket_ids) {
  const std::size_t many = 3 * n;  // more than one launch sorts
  device_keys keys(many);
  kit::counting_allocator allocator;
  allocator.fail(0, 1);
  gpusort::sort(par_gpu(allocator), keys.begin(), keys.end());
  EXPECT_TRUE(keys.is_sorted());
  EXPECT_EQ(allocator.calls(), 2u);
  EXPECT_GE(allocator.peak_bytes(), many * sizeof(std::uint32_t));
  EXPECT_LT(allocator.peak_bytes(), 2 * many * sizeof(std::uint32_t));
}

TEST_F(failing_allocation, sort_opaque) {
  device_keys keys(n);
  at_every_allocation(keys, false, [&](kit::counting_allocator& allocator) {
    gpusort::sort(par_gpu(allocator), keys.begin(), keys.end(), opaque_less{});
  });
}

TEST_F(failing_allocation, sort_opaque_nosync) {
  device_keys keys(n);
  at_every_allocation(keys, false, [&](kit::counting_allocator& allocator) {
    gpusort::sort(par_gpu_nosync(allocator), keys.begin(), keys.end(), opaque_less{});
  });
}

TEST_F(failing_allocation, stable_sort_opaque) {
  device_keys keys(n);
  at_every_allocation(keys, true, [&](kit::counting_allocator& allocator) {
    gpusort::stable_sort(par_gpu(allocator), keys.begin(), keys.end(), opaque_less{});
  });
}

TEST_F(failing_allocation, other_exceptions_of_an_allocator_reach_the_caller) {
  device_keys keys(n);
  struct broken {
    using value_type = char;
    char* allocate(std::size_t) { throw std::logic_error("broken"); }
    void deallocate(char*, std::size_t) {}
  } allocator;
  EXPECT_THROW(gpusort::sort(par_gpu(allocator), keys.begin(), keys.end()), std::logic_error);
  EXPECT_TRUE(keys.is_permutation());
}

// ---- Copies between host and device ----

class staging : public kit::gpu_test {
 protected:
  static std::vector<unsigned char> pattern(std::size_t n) {
    std::vector<unsigned char> bytes(n);
    std::uint64_t state = n;
    for (auto& b : bytes) {
      state = mix_bits(state);
      b = static_cast<unsigned char>(state);
    }
    return bytes;
  }

  /// Copies up from one range and down to another, whose neighbours must stay.
  static void round_trip(kit::memory_kind kind, std::size_t n, cudaStream_t stream) {
    const auto bytes = pattern(n);
    constexpr std::size_t zone = 64;
    const kit::gpu_memory memory{kind};
    auto* const host = static_cast<unsigned char*>(memory.allocate(n + 2 * zone));
    std::fill_n(host, n + 2 * zone, 0xAA);
    std::copy(bytes.begin(), bytes.end(), host + zone);
    const pointer_kind where = classify_pointer(host);
    {
      const scratch_buffer device(pool_memory(), n, stream);
      copy_to_device(device.data(), host + zone, n, where, stream);
      if (kind == kit::memory_kind::pinned) kit::cuda_ok(cudaStreamSynchronize(stream));
      std::fill_n(host + zone, n, 0xBB);  // pageable memory has been read by now
      copy_to_host(host + zone, device.data(), n, where, stream);
      if (kind == kit::memory_kind::pinned) kit::cuda_ok(cudaStreamSynchronize(stream));
    }
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), host + zone)) << n << " bytes";
    for (std::size_t i = 0; i < zone; ++i) {
      EXPECT_EQ(host[i], 0xAA);
      EXPECT_EQ(host[zone + n + i], 0xAA);
    }
    memory.deallocate(host);
  }
};

TEST_F(staging, copies_every_size) {
  const kit::stream stream;
  constexpr std::size_t piece = host::crew::bytes_per_piece;
  for (const auto kind : {kit::memory_kind::pageable, kit::memory_kind::pinned}) {
    SCOPED_TRACE(kit::name_of(kind));
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, min_staged_bytes - 1, min_staged_bytes, piece - 1, piece,
          piece + 1, 16 * piece, 16 * piece + 1, 37 * piece + 12345}) {
      round_trip(kind, n, stream);
    }
  }
}

TEST_F(staging, serves_threads_at_once) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      const kit::stream stream;
      for (int i = 0; i < 3; ++i) {
        round_trip(kit::memory_kind::pageable, 20 * megabyte + 1000 * t + i, stream);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  gpusort::release_scratch();
}

}  // namespace

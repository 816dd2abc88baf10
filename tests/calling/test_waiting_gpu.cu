// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a call that waits returns, its result is there for everybody.
#include <thrust/iterator/zip_iterator.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <gpusort/gpusort.hpp>
#include <thread>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/orders.hpp"
#include "../kit/random.hpp"
#include "../kit/values.hpp"

namespace kit {
namespace {

class waiting : public gpu_test {};

constexpr std::size_t most = 16385;

template <class T>
T value_of(std::uint64_t round, std::size_t i) {
  return make_value<T>(random_at(round, i), i);
}

/// Managed memory, which the host reads without asking the driver.
template <class T>
class shared_range {
 public:
  shared_range() { cuda_ok(cudaMallocManaged(&data_, most * sizeof(T))); }
  ~shared_range() { cudaFree(data_); }
  shared_range(const shared_range&) = delete;
  shared_range& operator=(const shared_range&) = delete;

  T* begin() const { return data_; }

  std::vector<T> refill(std::uint64_t round, std::size_t n) const {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) data_[i] = values[i] = value_of<T>(round, i);
    std::sort(values.begin(), values.end(), reference_less{});
    return values;
  }
  bool equals(const std::vector<T>& expected) const {
    return std::equal(expected.begin(), expected.end(), data_);
  }

 private:
  T* data_ = nullptr;
};

template <class T, class Compare>
void read_at_once(Compare compare) {
  const shared_range<T> range;
  const int rounds = small_sizes_only() ? 2 : 50;
  for (std::size_t n : {2, 100, 1000, 2000, 4096, 8192, 9000, 16384, 16385}) {
    for (int round = 0; round < rounds; ++round) {
      const auto expected = range.refill(n + round, n);
      gpusort::sort(gpusort::par_gpu, range.begin(), range.begin() + n, compare);
      ASSERT_TRUE(range.equals(expected)) << "n = " << n;
    }
  }
}

struct by_first {
  template <class Row>
  __host__ __device__ bool operator()(const Row& a, const Row& b) const {
    return thrust::get<0>(a) < thrust::get<0>(b);
  }
};

// Neither a sort into another range nor one by field has anything after its kernel.
TEST_F(waiting, for_copies_and_columns) {
  const shared_range<std::uint32_t> keys, out, values;
  for (std::size_t n : {2, 1000, 3000, 8192}) {
    const auto expected = keys.refill(n, n);
    gpusort::sort_copy(gpusort::par_gpu, keys.begin(), keys.begin() + n, out.begin(), opaque{});
    ASSERT_TRUE(out.equals(expected)) << "n = " << n;
    for (std::size_t i = 0; i < n; ++i) values.begin()[i] = ~keys.begin()[i];
    const auto rows = thrust::make_zip_iterator(keys.begin(), values.begin());
    gpusort::sort(gpusort::par_gpu, rows, rows + static_cast<std::ptrdiff_t>(n), by_first{});
    ASSERT_TRUE(keys.equals(expected)) << "n = " << n;
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values.begin()[i], ~expected[i]);
  }
}

// Host memory is copied back after the kernel.
TEST_F(waiting, for_host_memory) {
  for (std::size_t n : {2, 1000, 3000, 8192}) {
    std::vector<std::uint32_t> data(n);
    for (std::size_t i = 0; i < n; ++i) data[i] = value_of<std::uint32_t>(n, i);
    gpusort::sort(gpusort::par_gpu, data.begin(), data.end(), opaque{});
    ASSERT_TRUE(std::is_sorted(data.begin(), data.end())) << "n = " << n;
  }
}

TEST_F(waiting, the_host_reads_managed_memory_at_once) {
  read_at_once<std::uint8_t>(gpusort::less{});
  read_at_once<std::uint16_t>(gpusort::less{});
  read_at_once<std::uint32_t>(gpusort::less{});
  read_at_once<std::uint32_t>(opaque{});
  read_at_once<std::uint64_t>(opaque{});
}

__global__ void delay_kernel(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

TEST_F(waiting, for_a_stream_that_has_other_work) {
  const stream s;
  const shared_range<std::uint32_t> range;
  for (unsigned long long microseconds : {10, 40, 60, 1000, 20000}) {
    for (std::size_t n : {1000, 5000}) {
      const auto expected = range.refill(microseconds, n);
      delay_kernel<<<1, 1, 0, s>>>(1000 * microseconds);
      gpusort::sort(gpusort::par_gpu.on(s), range.begin(), range.begin() + n, opaque{});
      ASSERT_TRUE(range.equals(expected)) << "n = " << n << " after " << microseconds << " us";
    }
  }
}

TEST_F(waiting, another_stream_reads_at_once) {
  const stream writer, reader;
  const std::size_t n = 4096;
  const buffer<std::uint32_t> range(n, 1), copy(n, 2);
  column<std::uint32_t> input(n);
  for (int round = 0; round < (small_sizes_only() ? 2 : 300); ++round) {
    for (std::size_t i = 0; i < n; ++i) input[i] = value_of<std::uint32_t>(round, i);
    // On the sort's stream: a copy from pageable memory may return before it has ended.
    cuda_ok(cudaMemcpyAsync(range.begin(), input.begin(), n * sizeof(std::uint32_t),
                            cudaMemcpyDefault, writer));
    gpusort::sort(gpusort::par_gpu.on(writer), range.begin(), range.end(), opaque{});
    cuda_ok(cudaMemcpyAsync(copy.begin(), range.begin(), n * sizeof(std::uint32_t),
                            cudaMemcpyDefault, reader));
    reader.synchronize();
    std::sort(input.begin(), input.end());
    const auto seen = copy.read();
    const auto sorted = range.read();
    ASSERT_TRUE(std::equal(input.begin(), input.end(), sorted.begin(), sorted.end()));
    ASSERT_TRUE(std::equal(input.begin(), input.end(), seen.begin(), seen.end()));
  }
}

// More threads than calls can have words to wait for.
TEST_F(waiting, of_a_hundred_threads) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < (small_sizes_only() ? 5 : 100); ++t) {
    threads.emplace_back([&failures, t] {
      try {
        const stream s;
        const shared_range<std::uint32_t> range;
        for (int round = 0; round < 10; ++round) {
          const std::size_t n = 500 + random_at(t, round) % 7000;
          const auto expected = range.refill(1000 * t + round, n);
          gpusort::sort(gpusort::par_gpu.on(s), range.begin(), range.begin() + n);
          failures += !range.equals(expected);
        }
      } catch (...) {
        failures += 1000;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

/// Returns 0 where sorting goes on after the device has been reset, which undoes every
/// page-locking.
int sort_around_a_reset() {
  for (int round = 0; round < 3; ++round) {
    const std::size_t n = 1000;
    std::uint32_t* data = nullptr;
    if (cudaMallocManaged(&data, n * sizeof(std::uint32_t)) != cudaSuccess) return 1;
    for (std::size_t i = 0; i < n; ++i) data[i] = value_of<std::uint32_t>(round, i);
    gpusort::sort(gpusort::par_gpu, data, data + n);
    if (!std::is_sorted(data, data + n)) return 2;
    if (cudaDeviceReset() != cudaSuccess) return 3;
  }
  return 0;
}

TEST_F(waiting, after_a_reset_of_the_device) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(sort_around_a_reset()), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several host threads, several streams, and a device that is busy with something else.
#include <atomic>
#include <chrono>
#include <gpusort/segmented_sort.hpp>
#include <thread>
#include <vector>

#include "../kit/subject.hpp"

namespace kit {
namespace {

class concurrency : public gpu_test {};

using hidden = subject<std::uint32_t, opaque>;
using seen_through = subject<std::uint32_t, gpusort::less>;

/// Sorts `rounds` ranges of varying size on one stream and returns the number of failures.
template <class Subject>
int sort_repeatedly(cudaStream_t s, bool nosync, int rounds, std::uint64_t salt) {
  int failures = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t limit = small_sizes_only() ? 3000 : 300000;
    const std::size_t n = random_at(seed() + salt, static_cast<std::uint64_t>(round)) % limit;
    call how;
    how.stream = s;
    how.nosync = nosync;
    how.stable = round % 3 == 0;
    failures += !sorts<Subject>(make_case(every_distribution[round % 16], n), how);
  }
  return failures;
}

TEST_F(concurrency, threads_with_their_own_streams) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&failures, t] {
      const stream s;
      const int rounds = small_sizes_only() ? 3 : 12;
      const auto salt = static_cast<std::uint64_t>(t);
      try {
        failures += t % 2 ? sort_repeatedly<hidden>(s, t % 4 == 1, rounds, salt)
                          : sort_repeatedly<seen_through>(s, t % 4 == 2, rounds, salt);
      } catch (...) {
        failures += 1000;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(concurrency, threads_on_the_default_stream) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&failures, t] {
      try {
        failures += sort_repeatedly<hidden>(nullptr, false, 6, static_cast<std::uint64_t>(100 + t));
      } catch (...) {
        failures += 1000;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(concurrency, threads_with_host_memory) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&failures, t] {
      try {
        for (std::size_t n : {100, 5000, 50000}) {
          sort_case c = make_case(distribution::uniform, n + static_cast<std::size_t>(t));
          c.memory = memory_kind::pageable;
          failures += !sorts<seen_through>(c, call{});
        }
      } catch (...) {
        failures += 1000;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(concurrency, many_sorts_in_flight_from_one_thread) {
  const stream streams[4];
  const std::size_t n = small_sizes_only() ? 3000 : 200003;
  std::vector<buffer<std::uint32_t>> ranges;
  for (int i = 0; i < 16; ++i) {
    ranges.push_back(make_input<hidden>(make_case(every_distribution[i], n)));
  }
  for (int i = 0; i < 16; ++i) {
    call how;
    how.nosync = true;
    how.stable = i % 2 == 1;
    how.stream = streams[i % 4];
    hidden::run(how, ranges[i].begin(), ranges[i].end(), {});
  }
  cuda_ok(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) {
    const findings f = examine_output<hidden>(make_case(every_distribution[i], n), ranges[i], {},
                                              i % 2 ? promise::stability : promise::order);
    EXPECT_TRUE(f.ok()) << i << ": " << f;
  }
}

__global__ void occupy_kernel(const volatile int* release, unsigned long long nanoseconds) {
  unsigned long long begin;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  unsigned long long now = begin;
  while (*release == 0 && now - begin < nanoseconds) {
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  }
}

/// Keeps `blocks` blocks of 1024 threads resident until released or 20 seconds have passed.
class occupation {
 public:
  explicit occupation(int blocks) {
    cuda_ok(cudaHostAlloc(&release_, sizeof(int), cudaHostAllocMapped));
    *release_ = 0;
    occupy_kernel<<<blocks, 1024, 0, stream_>>>(release_, 20000000000ull);
    cuda_ok(cudaGetLastError());
  }
  ~occupation() {
    end();
    cudaFreeHost(release_);
  }
  bool running() const {
    const cudaError_t status = cudaStreamQuery(stream_);
    cudaGetLastError();
    return status == cudaErrorNotReady;
  }
  void end() {
    *static_cast<volatile int*>(release_) = 1;
    cudaStreamSynchronize(stream_);
  }

 private:
  stream stream_;
  int* release_ = nullptr;
};

// The sort neither waits for another stream nor needs more blocks resident than there is room for.
template <class Subject>
void sort_beside(int blocks) {
  const stream s;
  const std::size_t n = small_sizes_only() ? 5000 : (1 << 18) + 1;
  for (bool stable : {false, true}) {
    call how;
    how.stable = stable;
    how.stream = s;
    const sort_case c = make_case(distribution::uniform, n);
    // Loads the kernels and grows the pool, both of which may wait for the device.
    ASSERT_TRUE(sorts<Subject>(c, how));
    const auto range = make_input<Subject>(c);
    occupation busy(blocks);
    Subject::run(how, range.begin(), range.end(), {});
    EXPECT_TRUE(busy.running()) << "the sort has waited for another stream";
    busy.end();
    const findings f = examine_output<Subject>(c, range, {}, promise_of(how));
    EXPECT_TRUE(f.ok()) << f;
  }
}

TEST_F(concurrency, another_stream_is_busy) {
  sort_beside<seen_through>(1);
  sort_beside<hidden>(1);
  sort_beside<subject<record<64>, opaque>>(1);
}

int count_multiprocessors() {
  int device = 0;
  int processors = 0;
  cuda_ok(cudaGetDevice(&device));
  cuda_ok(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  return processors;
}

// Half of the multiprocessors have a block that stays; the others are free. (Where none is free of
// foreign blocks, a kernel that wants another split of its cache and shared memory has to wait.)
TEST_F(concurrency, half_of_the_device_is_busy) {
  const int blocks = count_multiprocessors() / 2;
  sort_beside<seen_through>(blocks);
  sort_beside<hidden>(blocks);
  sort_beside<subject<record<64>, opaque>>(blocks);
}

/// Sorts whose kernels' blocks wait for each other: calls body(name, sort, is_sorted) for each.
template <class Body>
void each_cooperative_sort(Body body) {
  const stream s;
  for (const std::size_t n : {std::size_t{60000}, std::size_t{200000}, std::size_t{1} << 18}) {
    const sort_case c = make_case(distribution::uniform, small_sizes_only() ? n / 10 : n);
    for (bool stable : {false, true}) {
      call how;
      how.stream = s;
      how.stable = stable;
      const auto range = make_input<hidden>(c);
      body(
          "sort", [&] { hidden::run(how, range.begin(), range.end(), {}); },
          [&] { return examine_output<hidden>(c, range, {}, promise_of(how)).ok(); });
    }
  }
  const std::size_t n = small_sizes_only() ? 60000 : 1 << 21;
  const sort_case c = make_case(distribution::uniform, n);
  const auto range = make_input<hidden>(c);
  const buffer<std::uint64_t> offsets(2);
  const std::uint64_t ends[] = {0, n};
  copy_and_wait(offsets.begin(), ends, sizeof(ends));
  body(
      "segmented_sort",
      [&] {
        gpusort::segmented_sort(gpusort::par_gpu.on(s), range.begin(), range.end(), offsets.begin(),
                                offsets.end(), opaque{});
      },
      [&] { return examine_output<hidden>(c, range, {}, promise::order).ok(); });
}

// A long block of somebody else's, on one multiprocessor, keeps no cooperative launch from
// beginning: that leaves one multiprocessor free.
TEST_F(concurrency, a_long_block_does_not_hold_up_blocks_that_wait_for_each_other) {
  each_cooperative_sort([](const char* name, auto sort, auto is_sorted) {
    sort();  // loads the kernels and grows the pool, both of which may wait for the device
    occupation busy(1);
    sort();
    EXPECT_TRUE(busy.running()) << name << " has waited for another stream";
    busy.end();
    EXPECT_TRUE(is_sorted()) << name;
  });
}

// With blocks that fill the device it waits until these end, and then goes on.
TEST_F(concurrency, sorts_after_a_kernel_that_fills_the_device) {
  each_cooperative_sort([](const char* name, auto sort, auto is_sorted) {
    sort();
    occupation busy(2 * count_multiprocessors());
    std::thread end([&busy] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      busy.end();
    });
    sort();
    end.join();
    EXPECT_TRUE(is_sorted()) << name;
  });
}

// The work is on the policy's stream: it comes after what the stream already had, and before what
// it gets next.
__global__ void fill_kernel(std::uint32_t* out, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = static_cast<std::uint32_t>(scramble(i));
  }
}

TEST_F(concurrency, work_is_ordered_on_the_stream) {
  const stream s;
  const std::size_t n = small_sizes_only() ? 3000 : 300007;
  const buffer<std::uint32_t> range(n, 1);
  const buffer<std::uint32_t> copy(n, 2);
  for (bool stable : {false, true}) {
    call how;
    how.nosync = true;
    how.stable = stable;
    how.stream = s;
    cuda_ok(cudaDeviceSynchronize());
    fill_kernel<<<1, 256, 0, s>>>(range.data(), n);
    hidden::run(how, range.begin(), range.end(), {});
    cuda_ok(cudaMemcpyAsync(copy.data(), range.data(), n * sizeof(std::uint32_t),
                            cudaMemcpyDeviceToDevice, s));
    cuda_ok(cudaMemsetAsync(range.data(), 0, n * sizeof(std::uint32_t), s));
    s.synchronize();
    column<std::uint32_t> input(n);
    for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<std::uint32_t>(scramble(i));
    const findings f = examine(input, copy.read(), reference_less{}, promise::order);
    EXPECT_TRUE(f.ok()) << f;
  }
}

}  // namespace
}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call finds of the device and leaves: parts of a device, launches that are refused, errors
// that are pending, resets, and the words that tell of completion.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <gpusort/detail/dispatch/device_sort.hpp>
#include <gpusort/gpusort.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/green_context.hpp"
#include "../kit/orders.hpp"
#include "../kit/random.hpp"
#include "../kit/refusal.hpp"
#include "../kit/values.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;
namespace detail = gpusort::detail;

std::vector<std::size_t> sizes() {
  if (small_sizes_only()) return {300, 3000, 10000, 20000};
  return {1000, 5000, 16384, 60000, 200000, 262144, 1 << 21};
}

template <class T>
std::vector<T> random_values(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = make_value<T>(random_at(n, i), i);
  return values;
}

/// Values on the device.
template <class T>
class device_values {
 public:
  explicit device_values(std::size_t n) : host_(random_values<T>(n)) {
    cuda_ok(cudaMalloc(&data_, n * sizeof(T)));
    refill();
  }
  device_values(const device_values&) = delete;
  device_values& operator=(const device_values&) = delete;
  ~device_values() { cudaFree(data_); }

  T* begin() const { return data_; }
  T* end() const { return data_ + host_.size(); }
  void refill() const { copy_and_wait(data_, host_.data(), host_.size() * sizeof(T)); }
  /// Whether each part between neighbouring offsets is sorted, and has its elements.
  bool is_sorted(const std::vector<std::uint32_t>& offsets) const {
    std::vector<T> expected = host_, actual(host_.size());
    cuda_ok(cudaDeviceSynchronize());
    cuda_ok(cudaMemcpy(actual.data(), data_, actual.size() * sizeof(T), cudaMemcpyDefault));
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      std::sort(expected.begin() + offsets[i - 1], expected.begin() + offsets[i]);
    }
    return expected == actual;
  }
  bool is_sorted() const { return is_sorted({0, static_cast<std::uint32_t>(host_.size())}); }

 private:
  std::vector<T> host_;
  T* data_ = nullptr;
};

class device_state : public gpu_test {};

// ---- A part of a device ----

/// Makes the call, under both policies, and captured.
template <class Range, class Sort>
void on_part(cudaStream_t stream, const Range& range, Sort sort) {
  const auto is_sorted = [&](const char* how) {
    EXPECT_TRUE(range.is_sorted()) << how;
    range.refill();
  };
  sort(par_gpu.on(stream));
  is_sorted("par_gpu");
  sort(par_gpu_nosync.on(stream));
  is_sorted("par_gpu_nosync");
  const graph recorded(stream, [&] { sort(par_gpu_nosync.on(stream)); });
  recorded.launch(stream);
  is_sorted("captured");
}

template <class T, class Compare>
void sort_on_part(cudaStream_t stream, Compare compare) {
  for (const std::size_t n : sizes()) {
    SCOPED_TRACE(n);
    const device_values<T> range(n);
    on_part(stream, range, [&](const auto& policy) {
      gpusort::sort(policy, range.begin(), range.end(), compare);
    });
    on_part(stream, range, [&](const auto& policy) {
      gpusort::stable_sort(policy, range.begin(), range.end(), compare);
    });
  }
}

TEST_F(device_state, sorts_on_a_part_of_the_device) {
  const part_of_device part(16);
  if (!part.exists()) GTEST_SKIP() << "the driver has no green contexts";
  EXPECT_EQ(detail::multiprocessors_of(part.stream()), static_cast<int>(part.multiprocessors()));
  EXPECT_EQ(detail::multiprocessors_of(nullptr),
            detail::properties_of(detail::current_device()).multiprocessors);
  sort_on_part<std::uint8_t>(part.stream(), gpusort::less{});
  sort_on_part<std::uint16_t>(part.stream(), gpusort::less{});
  sort_on_part<std::uint32_t>(part.stream(), gpusort::less{});
  sort_on_part<std::uint32_t>(part.stream(), opaque{});
  sort_on_part<std::uint64_t>(part.stream(), opaque{});
}

template <class T>
void count_on_part(cudaStream_t stream) {
  for (const std::size_t n : sizes()) {
    SCOPED_TRACE(n);
    const device_values<T> range(n);
    on_part(stream, range, [&](const auto& policy) {
      gpusort::sort(policy.with(gpusort::algorithm::counting_sort), range.begin(), range.end());
    });
  }
}

TEST_F(device_state, counts_on_a_part_of_the_device) {
  const part_of_device part(16);
  if (!part.exists()) GTEST_SKIP() << "the driver has no green contexts";
  count_on_part<std::uint8_t>(part.stream());
  count_on_part<std::uint16_t>(part.stream());
}

/// Takes shared memory of its own, a word for each thread among 32 KB.
struct with_shared_memory {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
#if defined(__CUDA_ARCH__)
    __shared__ volatile std::uint32_t kept[8192];
    volatile std::uint32_t& mine = kept[8 * threadIdx.x];
    mine = a;
    return mine < b;
#else
    return a < b;
#endif
  }
};

TEST_F(device_state, comparators_have_shared_memory_of_their_own) {
  const stream whole;
  sort_on_part<std::uint32_t>(whole, with_shared_memory{});
  const part_of_device part(16);
  if (part.exists()) sort_on_part<std::uint32_t>(part.stream(), with_shared_memory{});
}

TEST_F(device_state, sorts_segments_on_a_part_of_the_device) {
  const part_of_device part(16);
  if (!part.exists()) GTEST_SKIP() << "the driver has no green contexts";
  for (const std::uint32_t n : {60000u, 200000u, 1u << 21}) {
    if (small_sizes_only() && n > 60000) continue;
    SCOPED_TRACE(n);
    const device_values<std::uint32_t> range(n);
    const std::vector<std::uint32_t> ends = {0, n / 2, n / 2 + 10, n};
    std::uint32_t* offsets = nullptr;
    cuda_ok(cudaMalloc(&offsets, ends.size() * sizeof(*offsets)));
    copy_and_wait(offsets, ends.data(), ends.size() * sizeof(*offsets));
    const auto sort = [&](const auto& policy) {
      gpusort::segmented_sort(policy, range.begin(), range.end(), offsets, offsets + ends.size(),
                              opaque{});
    };
    sort(par_gpu.on(part.stream()));
    EXPECT_TRUE(range.is_sorted(ends));
    range.refill();
    const graph recorded(part.stream(), [&] { sort(par_gpu_nosync.on(part.stream())); });
    recorded.launch(part.stream());
    EXPECT_TRUE(range.is_sorted(ends));
    cuda_ok(cudaFree(offsets));
  }
}

// Contexts are told apart also where one thread asks about them in turn.
TEST_F(device_state, knows_whose_stream_it_is_asked_about) {
  const part_of_device part(16), other(8);
  if (!part.exists() || !other.exists()) GTEST_SKIP() << "the driver has no green contexts";
  const int all = detail::properties_of(detail::current_device()).multiprocessors;
  const stream whole;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(detail::multiprocessors_of(part.stream()), static_cast<int>(part.multiprocessors()));
    EXPECT_EQ(detail::multiprocessors_of(whole), all);
    EXPECT_EQ(detail::multiprocessors_of(other.stream()),
              static_cast<int>(other.multiprocessors()));
  }
}

// ---- Launches that are refused ----

GPUSORT_KERNEL void nothing_kernel() {}

using plain_call = detail::call<true, false, false, false, gpusort::route::nothing>;

/// Sorts as on a device that says to have more than it has.
template <bool Stable, class T, class Compare>
void sort_where_launches_are_refused(const device_values<T>& range, Compare compare) {
  const stream s;
  const detail::device_part part(s, false);
  detail::properties_in_use()->multiprocessors *= 64;
  using problem = detail::problem_of<plain_call, Stable, false, Compare, T>;
  const auto n = static_cast<std::uint64_t>(range.end() - range.begin());
  detail::device_sort<problem, T, Compare>::run(
      {range.begin(), range.begin(), n, compare, {}, detail::call_stream(s), true},
      detail::pool_memory());
  EXPECT_FALSE(detail::properties_in_use()->may_cooperate);
}

/// Returns more than the device holds, and less than one launch is ever given.
std::size_t just_too_many(std::size_t most) {
  const auto& device = detail::properties_of(detail::current_device());
  return std::min<std::size_t>(most, 5000 * static_cast<std::size_t>(device.multiprocessors));
}

// In a capture nobody refuses a launch, until the graph is instantiated.
TEST_F(device_state, launches_that_would_be_refused_are_not_captured) {
  const stream s;
  const graph recorded(s, [&] {
    const detail::relaxed_capture_mode relaxed;
    const detail::device_part part(s, true);
    const std::size_t many = 1000u * detail::current_device_properties().multiprocessors;
    EXPECT_THROW(detail::launch_cooperatively(nothing_kernel, many, 1024, 0, s),
                 detail::launch_refused);
    detail::launch_cooperatively_at_most(nothing_kernel, many, 1024, 0, s);
  });
  recorded.launch(s);
  const detail::device_part part(s, false);
  const std::size_t many = 1000u * detail::current_device_properties().multiprocessors;
  EXPECT_THROW(detail::launch_cooperatively(nothing_kernel, many, 1024, 0, s),
               detail::launch_refused);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

template <class T, class Compare>
void refused_at(std::size_t n, Compare compare) {
  const device_values<T> range(n);
  sort_where_launches_are_refused<false>(range, compare);
  EXPECT_TRUE(range.is_sorted());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  if (sizeof(T) < 4) return;
  range.refill();
  sort_where_launches_are_refused<true>(range, compare);
  EXPECT_TRUE(range.is_sorted());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(device_state, refused_launches_lead_to_other_routes) {
  const std::size_t n = just_too_many(1 << 18);
  refused_at<std::uint32_t>(n, opaque{});
  refused_at<std::uint64_t>(n, opaque{});
}

TEST_F(device_state, other_errors_of_a_launch_are_thrown) {
  const detail::device_part part(nullptr, false);
  int attempts = 0;
  EXPECT_THROW(detail::until_launches_fit([&] {
                 ++attempts;
                 throw gpusort::cuda_error(1, "some other error");
               }),
               gpusort::cuda_error);
  EXPECT_EQ(attempts, 1);
  // Each kind of launch is given up once.
  EXPECT_THROW(detail::until_launches_fit([&] {
                 ++attempts;
                 throw detail::launch_refused(attempts % 2 == 0 ? detail::launch_kind::cooperative
                                                                : detail::launch_kind::one_cluster);
               }),
               detail::launch_refused);
  EXPECT_EQ(attempts, 4);
  EXPECT_FALSE(detail::current_device_properties().may_cluster);
}

TEST_F(device_state, too_many_blocks_are_an_error) {
  EXPECT_THROW(detail::launch(nothing_kernel, (std::size_t{1} << 32) + 1, 1, 0, nullptr),
               gpusort::cuda_error);
}

TEST_F(device_state, too_many_bytes_are_out_of_memory) {
  detail::scratch_cursor cursor(nullptr);
  cursor.take<std::uint64_t>(1);
  EXPECT_THROW(cursor.take<std::uint64_t>(std::uint64_t{1} << 61), gpusort::out_of_memory);
  EXPECT_THROW(detail::bytes_of<std::uint64_t>((std::uint64_t{1} << 61) + 1),
               gpusort::out_of_memory);
}

// ---- Errors that the caller has left ----

/// Leaves an error of the caller's, from a launch that cannot be, and returns it.
cudaError_t leave_an_error() {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(4096);
  const cudaError_t left = cudaLaunchKernelEx(&config, nothing_kernel);
  EXPECT_NE(left, cudaSuccess);
  return left;
}

template <class Work>
void with_a_pending_error(const char* what, Work work) {
  const cudaError_t left = leave_an_error();
  EXPECT_NO_THROW(work()) << what;
  EXPECT_EQ(cudaGetLastError(), left) << what;
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(device_state, a_pending_error_is_neither_taken_nor_hidden) {
  const std::size_t n = 20000;
  const device_values<std::uint32_t> range(n);
  with_a_pending_error("sort", [&] { gpusort::sort(par_gpu, range.begin(), range.end()); });
  EXPECT_TRUE(range.is_sorted());
  with_a_pending_error(
      "sorted", [&] { EXPECT_TRUE(gpusort::is_sorted(par_gpu, range.begin(), range.end())); });
  range.refill();
  const stream s;
  with_a_pending_error("radix sort", [&] {  // by CUB, which looks for errors
    gpusort::stable_sort(par_gpu_nosync.on(s).with(gpusort::algorithm::radix_sort), range.begin(),
                         range.end());
  });
  EXPECT_TRUE(range.is_sorted());
  range.refill();
  with_a_pending_error("own default stream", [&] {
    gpusort::sort(par_gpu_nosync.on(cudaStreamPerThread), range.begin(), range.end(), opaque{});
  });
  EXPECT_TRUE(range.is_sorted());
  std::vector<std::uint32_t> host = random_values<std::uint32_t>(small_sizes_only() ? n : 1 << 22);
  with_a_pending_error("host memory", [&] { gpusort::sort(par_gpu, host.begin(), host.end()); });
  EXPECT_TRUE(std::is_sorted(host.begin(), host.end()));
  range.refill();
  with_a_pending_error("merge", [&] {
    gpusort::sort(par_gpu, range.begin(), range.begin() + n / 2);
    gpusort::sort(par_gpu, range.begin() + n / 2, range.end());
    gpusort::inplace_merge(par_gpu, range.begin(), range.begin() + n / 2, range.end());
  });
  EXPECT_TRUE(range.is_sorted());
  // Memory without an order of streams is given back when the driver says that it is idle.
  counting_allocator allocator;
  const auto proving = par_gpu(allocator).with(gpusort::verify);
  range.refill();
  with_a_pending_error("verify", [&] { gpusort::sort(proving, range.begin(), range.end()); });
  EXPECT_TRUE(range.is_sorted());
  const buffer<std::uint32_t> places(n);
  with_a_pending_error("verified argsort", [&] {
    gpusort::argsort(proving, range.begin(), range.end(), places.begin());
  });
  with_a_pending_error("release_scratch", [] { gpusort::release_scratch(); });
  with_a_pending_error("explain", [&] {
    EXPECT_GT(gpusort::explain(par_gpu, range.begin(), range.end(), opaque{}).passes, 0);
  });
}

// A call that fails tells of its own error, and leaves none.
TEST_F(device_state, a_failing_call_leaves_the_pending_error) {
  const device_values<std::uint32_t> range(100);
  const cudaError_t left = leave_an_error();
  expect_refusal("stable_sort", "no route is both stable and in place", [&] {
    gpusort::stable_sort(par_gpu.with(gpusort::in_place), range.begin(), range.end(), opaque{});
  });
  EXPECT_EQ(cudaGetLastError(), left);
}

// ---- Words that tell of completion ----

TEST_F(device_state, words_of_completion_come_back_when_a_call_fails) {
  auto& memory = detail::completion_memory::instance();
  const auto count_free = [&] {
    std::vector<int> rows;
    for (int row; (row = memory.take_row()) >= 0;) rows.push_back(row);
    for (int row : rows) memory.give_back(row);
    return rows.size();
  };
  const stream s;
  const std::size_t before = count_free();
  ASSERT_GT(before, 0u);
  for (int i = 0; i < 100; ++i) {
    try {
      detail::completion done;
      const bool has_words = done.words_for(1, s) != nullptr;
      if (i == 0 && !has_words) GTEST_SKIP() << "the host does not share memory";
      ASSERT_TRUE(has_words) << i;
      throw std::runtime_error("a launch failed");
    } catch (const std::runtime_error&) {
    }
  }
  {
    detail::completion done;  // of a launch that is refused, and the one in its place
    done.words_for(8, s);
    done.words_for(1, s);
  }
  EXPECT_EQ(count_free(), before);
}

// ---- Resets ----

template <class T>
bool sorts_everything(std::size_t n) {
  std::vector<T> host = random_values<T>(n);  // by way of pinned buffers
  gpusort::sort(par_gpu, host.begin(), host.end());
  const device_values<T> range(n);  // with scratch of the pool
  gpusort::sort(par_gpu, range.begin(), range.end(), opaque{});
  const device_values<T> small(1000);  // with words that tell of completion
  gpusort::sort(par_gpu, small.begin(), small.end());
  std::vector<T> in_pieces = random_values<T>(n);  // with pinned memory to spill into
  gpusort::sort(par_gpu.with(gpusort::max_device_bytes(n * sizeof(T) / 2)), in_pieces.begin(),
                in_pieces.end());
  return std::is_sorted(host.begin(), host.end()) && range.is_sorted() && small.is_sorted() &&
         in_pieces == host;
}

/// cudaMalloc and cudaFree as an allocator without stream order.
struct plain_allocator {
  using value_type = char;
  char* allocate(std::size_t n) {
    void* p = nullptr;
    cuda_ok(cudaMalloc(&p, n));
    return static_cast<char*>(p);
  }
  void deallocate(char* p, std::size_t) {
    if (cudaFree(p) != cudaSuccess) cudaGetLastError();
  }
};

int sort_around_resets() {
  try {
    plain_allocator allocator;
    // Enough for all buffers of a ring.
    const std::size_t n = small_sizes_only() ? 60000 : 10'000'000;
    for (int round = 0; round < 3; ++round) {
      if (!sorts_everything<std::uint32_t>(n)) return 1;
      {
        const device_values<std::uint32_t> range(20000);
        gpusort::sort(par_gpu_nosync(allocator), range.begin(), range.end(), opaque{});
        if (!range.is_sorted()) return 2;
      }
      if (round == 1) gpusort::release_scratch();
      if (cudaDeviceReset() != cudaSuccess) return 3;
      if (round == 0) gpusort::release_scratch();
      if (cudaGetLastError() != cudaSuccess) return 4;
    }
    return sorts_everything<std::uint32_t>(n) ? 0 : 5;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 6;
  }
}

using device_stateDeathTest = gpu_test;

TEST_F(device_stateDeathTest, calls_go_on_after_a_reset) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(sort_around_resets()), ::testing::ExitedWithCode(0), "");
}

#if defined(GPUSORT_CPU_ARCHITECTURE)

// Where the driver does not say how many devices there are, a pointer may be a device's.
int sort_while_devices_are_not_counted() {
  std::vector<std::uint32_t> host = random_values<std::uint32_t>(1000);
  answer_to_device_count = cudaErrorSystemNotReady;
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      gpusort::sort(par_gpu, host.begin(), host.end());
      return 1;
    } catch (const gpusort::cuda_error& error) {
      if (error.code() != cudaErrorSystemNotReady || cudaGetLastError() != cudaSuccess) return 2;
    }
  }
  answer_to_device_count = cudaSuccess;
  gpusort::sort(par_gpu.with(gpusort::require_device), host.begin(), host.end());
  return std::is_sorted(host.begin(), host.end()) ? 0 : 3;
}

TEST_F(device_stateDeathTest, devices_are_counted_again_after_a_failure) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(sort_while_devices_are_not_counted()), ::testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
}  // namespace kit

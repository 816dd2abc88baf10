// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes wrong is said with a type, and the data stays a permutation.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "../kit/subject.hpp"

namespace kit {
namespace {

template <class Subject>
class allocation_failures : public gpu_test {};

using subjects =
    ::testing::Types<subject<std::uint32_t, gpusort::less>, subject<uint128, gpusort::greater>,
                     subject<std::uint32_t, opaque>, subject<std::uint64_t, opaque>,
                     subject<record<12>, opaque>, subject<record<64>, opaque>,
                     subject<record<128>, opaque>>;
TYPED_TEST_SUITE(allocation_failures, subjects);

/// Sorts with the allocator as it is set; false when the call reported out_of_memory.
template <class Subject>
bool sorted_or_out_of_memory(const call& how, const sort_case& c) {
  const auto range = make_input<Subject>(c);
  bool enough = true;
  try {
    Subject::run(how, range.begin(), range.end(), {});
  } catch (const gpusort::out_of_memory&) {
    enough = false;
  }
  const findings f =
      examine_output<Subject>(c, range, {}, enough ? promise_of(how) : promise::permutation);
  EXPECT_TRUE(f.ok()) << how << " of " << c << (enough ? "" : " after out_of_memory") << ": " << f;
  EXPECT_TRUE(how.allocator->clean()) << how << " of " << c << ": scratch was lost or overrun";
  return enough;
}

/// Lets allocation k fail, or all from it on, for each k that the call comes to, and some more.
template <class Subject>
void expect_survives_failures(const call& how, std::size_t n, std::size_t allocations) {
  for (std::size_t k = 0; k < std::max<std::size_t>(allocations, 4); ++k) {
    for (std::size_t end : {k + 1, ~std::size_t{0}}) {
      for (auto d : {distribution::uniform, distribution::few_distinct}) {
        how.allocator->fail(k, end);
        const bool enough = sorted_or_out_of_memory<Subject>(how, make_case(d, n));
        // sort descends to a route in place, and so always succeeds.
        if (how.algorithm == automatic && !how.stable) EXPECT_TRUE(enough) << how << ", k = " << k;
      }
    }
  }
}

TYPED_TEST(allocation_failures, of_one_and_of_all_from_one_on) {
  using value = typename TypeParam::value;
  using compare = typename TypeParam::compare;
  for (std::size_t n : {std::size_t{1000}, std::size_t{5000}, std::size_t{100003}}) {
    if (small_sizes_only() && n > 5000) continue;
    for (call how : every_route<value, compare>(n)) {
      counting_allocator allocator;
      how.allocator = &allocator;
      ASSERT_TRUE((sorted_or_out_of_memory<TypeParam>(how, make_case(distribution::uniform, n))));
      const std::size_t allocations = allocator.calls();
      EXPECT_LT(allocations, 20u);
      expect_survives_failures<TypeParam>(how, n, allocations);
    }
  }
}

TYPED_TEST(allocation_failures, default_scratch_is_bounded) {
  using value = typename TypeParam::value;
  const std::size_t n = small_sizes_only() ? 5000 : (std::size_t{1} << 22) + 1;
  counting_allocator allocator;
  call how;
  how.allocator = &allocator;
  ASSERT_TRUE(sorts<TypeParam>(make_case(distribution::uniform, n), how));
  EXPECT_LE(allocator.peak_bytes(), n * (sizeof(value) + 2) + n * sizeof(value) / 20 + (16 << 20));
}

TYPED_TEST(allocation_failures, small_ranges_of_short_elements_allocate_nothing) {
  if (sizeof(typename TypeParam::value) > 16) GTEST_SKIP() << "sorted by way of indices";
  counting_allocator allocator;
  call how;
  how.allocator = &allocator;
  for (std::size_t n : {0, 1, 2, 100}) {
    ASSERT_TRUE(sorts<TypeParam>(make_case(distribution::uniform, n), how));
  }
  EXPECT_EQ(allocator.calls(), 0u);
}

class bad_input : public gpu_test {};

using hidden = subject<std::uint32_t, opaque>;
using seen_through = subject<std::uint32_t, gpusort::less>;

TEST_F(bad_input, last_before_first) {
  const sort_case c = make_case(distribution::uniform, 1000);
  const auto range = make_input<hidden>(c);
  const auto input = range.read();
  for (const call& how : every_route<std::uint32_t, opaque>(1000)) {
    EXPECT_THROW((hidden::run(how, range.end(), range.begin(), {})), std::invalid_argument) << how;
  }
  for (const call& how : every_route<std::uint32_t, gpusort::less>(1000)) {
    EXPECT_THROW((seen_through::run(how, range.end(), range.begin(), {})), std::invalid_argument)
        << how;
  }
  const auto output = range.read();
  EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
  EXPECT_TRUE(range.intact());
}

TEST_F(bad_input, nothing_at_null_is_no_work) {
  for (const call& how : every_route<std::uint32_t, opaque>(0)) {
    EXPECT_NO_THROW((hidden::run(how, nullptr, nullptr, {}))) << how;
  }
  for (const call& how : every_route<std::uint32_t, gpusort::less>(0)) {
    EXPECT_NO_THROW((seen_through::run(how, nullptr, nullptr, {}))) << how;
  }
}

// The data's device is used whatever the current one is; a stream of another device is an error.
TEST_F(bad_input, devices) {
  int devices = 0;
  cuda_ok(cudaGetDeviceCount(&devices));
  if (devices < 2) GTEST_SKIP() << "needs two devices";
  cuda_ok(cudaSetDevice(0));
  const sort_case c = make_case(distribution::uniform, 20000);
  const auto range = make_input<hidden>(c);
  cuda_ok(cudaSetDevice(1));
  {
    const stream foreign;
    call how;
    how.stream = foreign;
    EXPECT_THROW((hidden::run(how, range.begin(), range.end(), {})), gpusort::cuda_error);
  }
  hidden::run({}, range.begin(), range.end(), {});
  int current = 0;
  cuda_ok(cudaGetDevice(&current));
  EXPECT_EQ(current, 1);
  cuda_ok(cudaSetDevice(0));
  EXPECT_TRUE(examine_output<hidden>(c, range, {}, promise::order).ok());
}

// An error that ends the context, in a process of its own.
__global__ void fault_kernel() { asm volatile("trap;"); }

/// Names what a sort says after a kernel has failed: exits with 0 when it is a cuda_error. The
/// error is pending, or somebody has asked for it, or nobody has seen it yet.
enum class fault { pending, asked_for, not_seen };
[[noreturn]] void sort_after_a_fault(fault which) {
  std::uint32_t* data = nullptr;
  if (cudaMalloc(&data, 5000 * sizeof(*data)) != cudaSuccess) std::exit(3);
  cudaMemset(data, 1, 5000 * sizeof(*data));
  fault_kernel<<<1, 1>>>();
  if (which != fault::not_seen) cudaDeviceSynchronize();
  if (which == fault::asked_for) cudaGetLastError();
  if (which == fault::not_seen) std::this_thread::sleep_for(std::chrono::seconds(1));
  int reports = 0;
  for (const call& how :
       {call{}, call{false, automatic, true}, call{true}, call{true, automatic, true}}) {
    try {
      hidden::run(how, data, data + 5000, {});
    } catch (const gpusort::cuda_error& e) {
      reports += e.code() != 0 && std::string(e.what()).size() > 10;
    }
  }
  std::fprintf(stderr, "%d of 4 calls reported the lost context\n", reports);
  std::fflush(stderr);
  std::_Exit(reports == 4 ? 0 : 1);  // no destructor of the CUDA runtime may meet the lost context
}

using sticky_errorDeathTest = gpu_test;

TEST_F(sticky_errorDeathTest, is_reported_by_every_call_that_meets_it) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (fault which : {fault::pending, fault::asked_for, fault::not_seen}) {
    EXPECT_EXIT(sort_after_a_fault(which), ::testing::ExitedWithCode(0), "4 of 4");
  }
}

}  // namespace
}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Policies and allocators as types, and what of them runs without a device.
#include <gtest/gtest.h>
#include <thrust/device_malloc_allocator.h>
#include <thrust/execution_policy.h>
#include <thrust/mr/allocator.h>
#include <thrust/system/cuda/memory_resource.h>

#include <cstdint>
#include <gpusort/execution_policy.hpp>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "../kit/allocator_spellings.hpp"

namespace {

using namespace gpusort::detail;
using gpusort::par_gpu;
using gpusort::par_gpu_nosync;
namespace algorithm = gpusort::algorithm;

// ---- Which spelling an allocator has ----

template <class Allocator, class Spelling>
constexpr bool is_spelled = std::is_same_v<spelling_of<Allocator>, Spelling>;

static_assert(is_spelled<kit::plain_allocator<char>, allocator_spelling>);
static_assert(is_spelled<kit::fancy_allocator<int>, allocator_spelling>);
static_assert(is_spelled<kit::thrust_resource, alignment_last_spelling>);
static_assert(is_spelled<kit::rmm_resource, stream_last_spelling>);
static_assert(is_spelled<kit::rmm_allocator<int>, stream_last_spelling>);
static_assert(is_spelled<kit::resource_3_0, alignment_last_spelling>);
static_assert(is_spelled<kit::async_resource_3_0, async_spelling>);
static_assert(is_spelled<kit::synchronous_resource_3_1, sync_spelling>);
static_assert(is_spelled<kit::resource_3_1, stream_first_spelling>);

static_assert(is_spelled<thrust::device_malloc_allocator<int>, allocator_spelling>);
static_assert(is_spelled<thrust::cuda::memory_resource, alignment_last_spelling>);
static_assert(is_spelled<thrust::cuda::universal_memory_resource, alignment_last_spelling>);
static_assert(
    is_spelled<thrust::mr::allocator<int, thrust::cuda::memory_resource>, allocator_spelling>);
static_assert(is_spelled<std::allocator<int>, allocator_spelling>);

static_assert(!is_allocator<int>);
static_assert(!is_allocator<cuda::stream_ref>);
static_assert(!is_allocator<std::vector<int>>);

// ---- Policies ----

// Constant initialised, so that the constructors of other globals may sort.
constexpr auto constant = par_gpu.with(gpusort::in_place);
static_assert(has_option<decltype(constant), gpusort::in_place_t>);

template <class Policy>
constexpr bool is_thrust_policy = std::is_base_of_v<thrust::execution_policy<Policy>, Policy>&&
    std::is_base_of_v<thrust::cuda::execution_policy<Policy>, Policy>;

template <class Policy>
constexpr bool is_plain_copyable =
    std::is_copy_constructible_v<Policy>&& std::is_copy_assignable_v<Policy>;

using plain = std::remove_const_t<decltype(par_gpu)>;
using plain_nosync = std::remove_const_t<decltype(par_gpu_nosync)>;
static_assert(is_thrust_policy<plain> && is_thrust_policy<plain_nosync>);
static_assert(is_plain_copyable<plain> && is_plain_copyable<plain_nosync>);
static_assert(synchronizes<plain> && !synchronizes<plain_nosync>);
static_assert(std::is_same_v<decltype(par_gpu.on(nullptr)), plain>);
static_assert(std::is_same_v<decltype(par_gpu.with()), plain>);

template <class Policy>
using forced = forced_algorithm<Policy>;
static_assert(std::is_void_v<forced<plain>>);
static_assert(
    std::is_same_v<forced<decltype(par_gpu.with(algorithm::radix_sort))>, algorithm::radix_sort_t>);
static_assert(
    std::is_same_v<forced<decltype(par_gpu.with(algorithm::radix_sort, gpusort::deterministic)
                                       .with(algorithm::merge_sort))>,
                   algorithm::merge_sort_t>);
static_assert(std::is_same_v<decltype(par_gpu.with(gpusort::in_place, gpusort::in_place)),
                             decltype(par_gpu.with(gpusort::in_place))>);

template <class Option>
struct carries {
  template <class Policy>
  static constexpr bool in(const Policy&) {
    return has_option<Policy, Option>;
  }
};

cudaStream_t some_stream() {
  static char anything;
  return reinterpret_cast<cudaStream_t>(&anything);
}

template <class Policy>
void expect_everything_kept(const Policy& policy) {
  EXPECT_EQ(stream_of(policy), some_stream());
  EXPECT_TRUE(carries<gpusort::deterministic_t>::in(policy));
  EXPECT_TRUE(carries<gpusort::require_device_t>::in(policy));
  EXPECT_FALSE(carries<gpusort::in_place_t>::in(policy));
  EXPECT_FALSE(synchronizes<Policy>);
  EXPECT_NE(memory_of(policy).state, nullptr);
  static_assert(is_thrust_policy<Policy>);
}

TEST(policy, keeps_stream_allocator_and_options_in_any_order) {
  kit::host_ledger books;
  kit::plain_allocator<char> a{&books};
  const cudaStream_t s = some_stream();
  const auto& p = par_gpu_nosync;
  using gpusort::deterministic;
  using gpusort::require_device;
  expect_everything_kept(p.on(s)(a).with(deterministic, require_device));
  expect_everything_kept(p.on(s).with(deterministic)(a).with(require_device));
  expect_everything_kept(p(a).on(s).with(deterministic, require_device));
  expect_everything_kept(p(a).with(deterministic).on(s).with(require_device));
  expect_everything_kept(p.with(deterministic, require_device).on(s)(a));
  expect_everything_kept(p.with(deterministic).with(require_device)(a).on(s));
}

TEST(policy, takes_streams_of_several_kinds) {
  const cudaStream_t s = some_stream();
  EXPECT_EQ(stream_of(par_gpu), nullptr);
  EXPECT_EQ(stream_of(par_gpu.on(s)), s);
  EXPECT_EQ(stream_of(par_gpu.on(cuda::stream_ref(s))), s);
  EXPECT_EQ(stream_of(par_gpu.on(kit::stream_view(s))), s);
  EXPECT_EQ(stream_of(par_gpu.on(s).on(0)), nullptr);
  EXPECT_EQ(get_stream(par_gpu.on(s)), s);  // as Thrust asks
  EXPECT_TRUE(must_perform_optional_stream_synchronization(par_gpu.on(s)));
  EXPECT_FALSE(must_perform_optional_stream_synchronization(par_gpu_nosync));
}

TEST(policy, refers_to_an_lvalue_and_copies_the_rest) {
  kit::host_ledger books;
  kit::plain_allocator<char> a{&books};
  const kit::plain_allocator<char> constant_one{&books};
  EXPECT_EQ(memory_of(par_gpu(a)).state, &a);
  EXPECT_EQ(memory_of(par_gpu(&a)).state, &a);
  const auto by_value = par_gpu(kit::plain_allocator<char>{&books});
  EXPECT_EQ(memory_of(by_value).state, memory_of(by_value).state);
  const auto copied = par_gpu(constant_one);
  EXPECT_NE(memory_of(copied).state, static_cast<const void*>(&constant_one));
  const auto second = copied;
  EXPECT_NE(memory_of(copied).state, memory_of(second).state);
  kit::thrust_resource resource(&books);
  EXPECT_EQ(memory_of(par_gpu(&resource)).state, &resource);
  // Attached again: the last one counts.
  EXPECT_EQ(memory_of(par_gpu(&resource)(a)).state, &a);
}

TEST(policy, default_memory_is_the_pool) { EXPECT_EQ(memory_of(par_gpu).state, nullptr); }

// ---- A caller's buffer ----

TEST(scratch_option, is_handed_out_as_a_stack) {
  alignas(256) static char buffer[4096];
  const auto policy = par_gpu.with(gpusort::scratch(buffer, sizeof buffer));
  const memory_source source = memory_of(policy);
  {
    scratch_buffer a(source, 1, nullptr);
    EXPECT_EQ(a.data(), buffer);
    {
      scratch_buffer b(source, 300, nullptr);
      EXPECT_EQ(b.data(), buffer + 256);
      scratch_buffer too_much(source, 4096 - 768 + 1, nullptr);
      EXPECT_FALSE(too_much);
      scratch_buffer rest(source, 4096 - 768, nullptr);
      EXPECT_EQ(rest.data(), buffer + 768);
    }
    scratch_buffer c(source, 4096 - 256, nullptr);
    EXPECT_EQ(c.data(), buffer + 256);
    scratch_buffer nothing(source, 0, nullptr);
    EXPECT_TRUE(nothing);
    EXPECT_EQ(nothing.data(), nullptr);
  }
  scratch_buffer all(source, 4096, nullptr);
  EXPECT_EQ(all.data(), buffer);
  EXPECT_EQ(stream_of(policy.on(some_stream())), some_stream());
}

TEST(scratch_option, holes_close_when_all_is_given_back) {
  alignas(256) static char buffer[1024];
  const auto policy = par_gpu.with(gpusort::scratch(buffer, sizeof buffer));
  const memory_source source = memory_of(policy);
  {
    scratch_buffer a(source, 256, nullptr);
    scratch_buffer b(source, 256, nullptr);
    a = scratch_buffer();  // below b
    scratch_buffer c(source, 256, nullptr);
    EXPECT_EQ(c.data(), buffer + 512);
  }
  scratch_buffer all(source, 1024, nullptr);
  EXPECT_EQ(all.data(), buffer);
}

TEST(scratch_option, takes_a_buffer_that_is_not_aligned_or_too_small) {
  alignas(256) static char buffer[1024];
  const auto policy = par_gpu.with(gpusort::scratch(buffer + 1, 1023));
  scratch_buffer a(memory_of(policy), 768, nullptr);
  EXPECT_EQ(a.data(), buffer + 256);
  const auto tiny = par_gpu.with(gpusort::scratch(buffer + 1, 3));
  EXPECT_FALSE(scratch_buffer(memory_of(tiny), 1, nullptr));
  const auto none = par_gpu.with(gpusort::scratch(nullptr, 0));
  EXPECT_FALSE(scratch_buffer(memory_of(none), 1, nullptr));
  EXPECT_THROW(scratch_buffer::or_throw(memory_of(none), 1, nullptr), gpusort::out_of_memory);
}

TEST(scratch_option, goes_before_an_allocator) {
  alignas(256) static char buffer[256];
  kit::host_ledger books;
  kit::plain_allocator<char> a{&books};
  const auto policy = par_gpu(a).with(gpusort::scratch(buffer, sizeof buffer));
  EXPECT_EQ(scratch_buffer(memory_of(policy), 256, nullptr).data(), buffer);
  EXPECT_EQ(books.calls, 0u);
}

// ---- Calling an allocator in its spelling ----

template <class Allocator>
class every_spelling : public ::testing::Test {};

using allocators =
    ::testing::Types<kit::plain_allocator<char>, kit::plain_allocator<double>,
                     kit::fancy_allocator<char>, kit::fancy_allocator<int>, kit::thrust_resource,
                     kit::rmm_resource, kit::rmm_allocator<int>, kit::resource_3_0,
                     kit::async_resource_3_0, kit::synchronous_resource_3_1, kit::resource_3_1>;
TYPED_TEST_SUITE(every_spelling, allocators);

TYPED_TEST(every_spelling, is_called_and_balanced) {
  kit::host_ledger books;
  auto allocator = kit::allocator_for<TypeParam>(books);
  for (std::size_t bytes : {1, 7, 8, 100, 4096}) {
    void* const p = allocate_aligned(allocator, bytes, some_stream());
    ASSERT_NE(p, nullptr);
    EXPECT_TRUE(is_aligned(p));
    ASSERT_EQ(books.live.size(), 1u);
    EXPECT_GE(books.live.begin()->second.bytes, bytes);
    EXPECT_EQ(books.last_stream, spelling_of<TypeParam>::stream_ordered ? some_stream() : nullptr);
    deallocate_aligned(allocator, p, bytes, some_stream());
    EXPECT_TRUE(books.balanced());
  }
}

TYPED_TEST(every_spelling, is_aligned_by_us_when_it_is_not_by_itself) {
  kit::host_ledger books;
  books.offset = 16;
  auto allocator = kit::allocator_for<TypeParam>(books);
  void* const a = allocate_aligned(allocator, 1000, some_stream());
  void* const b = allocate_aligned(allocator, 1, some_stream());
  ASSERT_NE(a, nullptr);
  ASSERT_NE(b, nullptr);
  for (void* p : {a, b}) {
    EXPECT_TRUE(is_aligned(p));
    const std::size_t bytes = p == a ? 1000 : 1;
    bool inside = false;
    for (const auto& block : books.live) {
      const char* const begin = static_cast<const char*>(block.first);
      inside |= begin <= p && static_cast<char*>(p) + bytes <= begin + block.second.bytes;
    }
    EXPECT_TRUE(inside);
  }
  deallocate_aligned(allocator, a, 1000, some_stream());
  deallocate_aligned(allocator, b, 1, some_stream());
  EXPECT_TRUE(books.balanced());
}

TYPED_TEST(every_spelling, says_null_when_out_of_memory) {
  kit::host_ledger books;
  auto allocator = kit::allocator_for<TypeParam>(books);
  books.fail_from = 0;
  EXPECT_EQ(allocate_aligned(allocator, 100, some_stream()), nullptr);
  books.calls = 0;
  books.fail_from = 1;  // the second attempt, with room to align
  books.offset = 16;
  EXPECT_EQ(allocate_aligned(allocator, 100, some_stream()), nullptr);
  EXPECT_TRUE(books.balanced());
}

template <class Exception>
struct throwing_resource {
  Exception exception;
  void* allocate(cuda::stream_ref, std::size_t, std::size_t) { throw exception; }
  void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t) { throw exception; }
};

struct derived_bad_alloc : std::bad_alloc {};

TEST(allocator_exceptions, out_of_memory_is_null_and_others_pass) {
  throwing_resource<derived_bad_alloc> out{};
  EXPECT_EQ(allocate_aligned(out, 1, some_stream()), nullptr);
  throwing_resource<cuda::cuda_error> out_of_cccl{{cudaErrorMemoryAllocation, "no memory"}};
  EXPECT_EQ(allocate_aligned(out_of_cccl, 1, some_stream()), nullptr);
  throwing_resource<cuda::cuda_error> broken{{cudaErrorInvalidValue, "broken"}};
  EXPECT_THROW(allocate_aligned(broken, 1, some_stream()), cuda::cuda_error);
  throwing_resource<std::logic_error> wrong{std::logic_error("wrong")};
  EXPECT_THROW(allocate_aligned(wrong, 1, some_stream()), std::logic_error);
  deallocate_aligned(wrong, &wrong, 1, some_stream());
}

TEST(scratch_buffer, gives_back_once_however_it_is_moved) {
  kit::host_ledger books;
  kit::rmm_resource resource{&books};
  const memory_source source = memory_of(par_gpu_nosync(resource));
  {
    scratch_buffer a(source, 100, some_stream());
    scratch_buffer b(std::move(a));
    scratch_buffer c;
    c = std::move(b);
    EXPECT_EQ(books.live.size(), 1u);
    c = scratch_buffer(source, 200, some_stream());
    EXPECT_EQ(books.live.size(), 1u);
    EXPECT_EQ(c.size(), 200u);
    EXPECT_EQ(c.as<int>(4), reinterpret_cast<int*>(c.as<char>() + 4));
  }
  EXPECT_TRUE(books.balanced());
  EXPECT_EQ(books.calls, 2u);
}

TEST(without_a_device, release_scratch_does_nothing) {
  if (device_count() > 0) GTEST_SKIP() << "there is a CUDA device";
  const cudaError_t before = cudaPeekAtLastError();  // where there is no driver always an error
  EXPECT_NO_THROW(gpusort::release_scratch());
  EXPECT_EQ(cudaPeekAtLastError(), before) << "an error was left behind";
}

}  // namespace

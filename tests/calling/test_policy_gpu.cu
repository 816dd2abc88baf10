// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Policies at work: stream, allocator and device, in gpusort's calls and in Thrust's.
#include <gtest/gtest.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/pointer_kind.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <memory>
#include <vector>

#include "../kit/allocator_spellings.hpp"
#include "../kit/device.hpp"
#include "../kit/stream_test.hpp"

namespace {

using namespace gpusort::detail;
using gpusort::par_gpu;
using gpusort::par_gpu_nosync;

class policy : public kit::stream_test {};

/// Returns what was put on `stream` and nowhere else.
template <class Work>
std::size_t captured_nodes(cudaStream_t stream, Work work) {
  kit::cuda_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  work();
  cudaGraph_t graph = nullptr;
  kit::cuda_ok(cudaStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  kit::cuda_ok(cudaGraphGetNodes(graph, nullptr, &nodes));
  kit::cuda_ok(cudaGraphDestroy(graph));
  return nodes;
}

TEST_F(policy, thrust_works_on_its_stream) {
  thrust::device_vector<int> v(1000);
  for (const auto& p : {par_gpu_nosync.on(stream_), par_gpu_nosync.on(cuda::stream_ref(stream_))}) {
    EXPECT_EQ(captured_nodes(stream_, [&] { thrust::fill(p, v.begin(), v.end(), 1); }), 1u);
  }
  const auto with_options = par_gpu_nosync.with(gpusort::deterministic).on(stream_);
  EXPECT_EQ(captured_nodes(stream_, [&] { thrust::fill(with_options, v.begin(), v.end(), 1); }),
            1u);
}

TEST_F(policy, gpusort_works_on_its_stream) {
  thrust::device_vector<unsigned> v(100'000);
  EXPECT_GE(captured_nodes(stream_,
                           [&] { gpusort::sort(par_gpu_nosync.on(stream_), v.begin(), v.end()); }),
            1u);
}

TEST_F(policy, thrust_algorithms_run_under_every_form) {
  kit::device_ledger books;
  kit::rmm_resource resource{&books};
  const auto check = [&](const auto& p) {
    const int n = 10'000;
    thrust::device_vector<int> v(n);
    thrust::sequence(p, v.begin(), v.end());
    thrust::transform(p, v.begin(), v.end(), v.begin(), thrust::negate<int>());
    EXPECT_EQ(thrust::reduce(p, v.begin(), v.end()), -n * (n - 1) / 2);
    thrust::inclusive_scan(p, v.begin(), v.end(), v.begin());
    kit::cuda_ok(cudaDeviceSynchronize());
    EXPECT_EQ(v[n - 1], -n * (n - 1) / 2);
  };
  check(par_gpu);
  check(par_gpu.on(stream_));
  check(par_gpu.with(gpusort::in_place));
  check(par_gpu_nosync);
  check(par_gpu_nosync.on(stream_));
  EXPECT_EQ(books.calls, 0u);
  check(par_gpu(resource));
  check(par_gpu(&resource).on(stream_));
  check(par_gpu_nosync(resource).on(stream_).with(gpusort::in_place));
  check(par_gpu(kit::rmm_resource{&books}));
}

/// Thrust's temporaries come from the attached allocator, and from nowhere else.
template <class Allocator>
class thrust_temporaries : public kit::gpu_test {};

using allocators =
    ::testing::Types<kit::plain_allocator<char>, kit::fancy_allocator<int>, kit::thrust_resource,
                     kit::rmm_resource, kit::async_resource_3_0, kit::resource_3_1>;
TYPED_TEST_SUITE(thrust_temporaries, allocators);

TYPED_TEST(thrust_temporaries, come_from_the_allocator) {
  kit::device_ledger books;
  auto allocator = kit::allocator_for<TypeParam>(books);
  thrust::device_vector<int> v(100'000, 1);
  const kit::stream stream;

  EXPECT_EQ(thrust::reduce(par_gpu(allocator).on(stream), v.begin(), v.end()), 100'000);
  const std::size_t calls = books.calls;
  EXPECT_GT(calls, 0u);
  EXPECT_TRUE(books.balanced());

  thrust::inclusive_scan(par_gpu_nosync.on(stream)(allocator), v.begin(), v.end(), v.begin());
  EXPECT_GT(books.calls, calls);
  stream.synchronize();
  gpusort::release_scratch();
  EXPECT_TRUE(books.balanced());
  EXPECT_EQ(v[99'999], 100'000);

  books.fail_from = 0;
  EXPECT_THROW(thrust::reduce(par_gpu(allocator), v.begin(), v.end()), std::bad_alloc);
}

// ---- Where pointers point, and which device works ----

TEST_F(policy, pointers_are_classified) {
  const auto kind_of = [](kit::memory_kind kind) {
    const kit::gpu_memory memory{kind};
    auto* const p = static_cast<char*>(memory.allocate(1000));
    const pointer_kind found = classify_pointer(p + 999);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    memory.deallocate(p);
    return found;
  };
  const pointer_kind device = kind_of(kit::memory_kind::device);
  EXPECT_EQ(device.kind, memory_kind::device);
  EXPECT_EQ(device.device, current_device());
  EXPECT_TRUE(device.on_device() && device.device_accessible() && !device.on_host());
  EXPECT_EQ(kind_of(kit::memory_kind::managed).kind, memory_kind::managed);
  EXPECT_TRUE(kind_of(kit::memory_kind::managed).device_accessible());
  EXPECT_EQ(kind_of(kit::memory_kind::pinned).kind, memory_kind::pinned_host);
  EXPECT_EQ(kind_of(kit::memory_kind::pageable).kind, memory_kind::pageable_host);
  int local = 0;
  EXPECT_EQ(classify_pointer(&local).kind, memory_kind::pageable_host);
  EXPECT_EQ(classify_pointer(nullptr).kind, memory_kind::pageable_host);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(policy, device_properties_make_sense) {
  const device_properties& properties = current_device_properties();
  EXPECT_GE(properties.compiled_architecture, 75);
  EXPECT_GT(properties.multiprocessors, 0);
  EXPECT_GE(properties.max_shared_memory_per_block, std::size_t{48} * 1024);
  EXPECT_EQ(&properties, &current_device_properties());
}

TEST_F(policy, default_streams_belong_to_the_current_device) {
  for (const cudaStream_t s :
       {cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread, stream_}) {
    EXPECT_EQ(device_for({memory_kind::device, current_device()}, s), current_device());
    EXPECT_EQ(device_for({memory_kind::managed, -1}, s), current_device());
    EXPECT_EQ(device_for({}, s), current_device());
  }
}

TEST_F(policy, the_device_of_the_data_is_used) {
  if (device_count() < 2) GTEST_SKIP() << "one device";
  const int here = current_device();
  const int there = here == 0 ? 1 : 0;
  {
    const device_guard guard(there);
    EXPECT_EQ(current_device(), there);
  }
  EXPECT_EQ(current_device(), here);
  int* p = nullptr;
  std::unique_ptr<kit::stream> stream_there;
  {
    const device_guard guard(there);
    kit::cuda_ok(cudaMalloc(&p, sizeof(int)));
    stream_there = std::make_unique<kit::stream>();
  }
  const pointer_kind where = classify_pointer(p);
  EXPECT_EQ(where.device, there);
  EXPECT_EQ(device_for(where, nullptr), there);
  EXPECT_EQ(device_for(where, *stream_there), there);
#if CUDART_VERSION >= 12080
  EXPECT_EQ(device_for({}, *stream_there), there);
  EXPECT_THROW(device_for(where, stream_), gpusort::cuda_error);
#endif
  cudaFree(p);
  const device_guard guard(there);
  stream_there.reset();
}

}  // namespace

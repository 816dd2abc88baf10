// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify and keep_input as calls on a device: host memory through the public API, iterators of
// Thrust, memory of every kind, captures, little scratch, pieces.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>

#include <gpusort/external.hpp>

#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/verify_public_api.hpp"

namespace kit {
namespace {

class verify_calls : public gpu_test {};

TEST_F(verify_calls, zips_and_permutations) {
  const std::size_t n = 100003;
  const auto input = random_ints(n);
  thrust::device_vector<int> a(input.begin(), input.end());
  thrust::device_vector<float> b(n, 2.5f);
  const auto zip = thrust::make_zip_iterator(a.begin(), b.begin());
  gpusort::sort(verifying, zip, zip + n, ordinary{});
  thrust::host_vector<int> sorted = a;
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  thrust::device_vector<int> order(n);
  thrust::sequence(order.rbegin(), order.rend());
  const auto backwards = thrust::make_permutation_iterator(a.begin(), order.begin());
  gpusort::sort(verifying, backwards, backwards + n);
  sorted = a;
  EXPECT_TRUE(std::is_sorted(sorted.rbegin(), sorted.rend()));
  gpusort::sort(verifying, a.rbegin(), a.rend(), std::greater<>{});
}

TEST_F(verify_calls, every_kind_of_memory) {
  const std::size_t n = small_sizes_only() ? 20011 : 10000019;
  const auto input = random_ints(n);
  for (const memory_kind kind : every_memory_kind) {
    const buffer<int> range(n, 1, gpu_memory{kind});
    const auto write = [&] { gpu_memory{kind}.copy(range.data(), input.data(), n * sizeof(int)); };
    write();
    gpusort::sort(verifying, range.begin(), range.end());
    write();
    gpusort::stable_sort(keeping_and_verifying, range.begin(), range.end(), ordinary{});
    write();
    EXPECT_LT(place_found_by(
                  [&] { gpusort::sort(verifying, range.begin(), range.begin() + 2000, lies); }),
              2000u)
        << name_of(kind);
    EXPECT_TRUE(range.intact());
  }
}

TEST_F(verify_calls, refuse_a_stream_under_capture_before_anything_is_touched) {
  const stream s;
  const buffer<int> range(1000);
  const auto input = random_ints(1000);
  gpu_memory{}.copy(range.data(), input.data(), 1000 * sizeof(int));
  bool refused = false;
  const graph recorded(s, [&] {
    try {
      gpusort::sort(gpusort::par_gpu_nosync.on(s).with(gpusort::verify), range.begin(),
                    range.end());
    } catch (const gpusort::cuda_error& e) {
      refused = e.code() == cudaErrorStreamCaptureUnsupported;
    }
  });
  EXPECT_TRUE(refused);
  const auto output = range.read();
  EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
}

TEST_F(verify_calls, take_no_more_than_scratch_bytes) {
  for (const std::size_t n : {std::size_t{100}, std::size_t{300007}}) {
    const auto input = random_ints(n);
    const buffer<int> range(n);
    gpu_memory{}.copy(range.data(), input.data(), n * sizeof(int));
    const std::size_t bytes = gpusort::scratch_bytes(verifying, range.begin(), range.end());
    EXPECT_GT(bytes, 0u);
    const buffer<unsigned char> memory(bytes);
    gpusort::sort(verifying.with(gpusort::scratch(memory.data(), bytes)), range.begin(),
                  range.end());
    EXPECT_TRUE(memory.intact());
    gpu_memory{}.copy(range.data(), input.data(), n * sizeof(int));
    EXPECT_THROW(gpusort::sort(verifying.with(gpusort::scratch(memory.data(), 0)), range.begin(),
                               range.end()),
                 gpusort::out_of_memory);
    const auto output = range.read();
    EXPECT_TRUE(std::equal(input.begin(), input.end(), output.begin()));
  }
}

TEST_F(verify_calls, in_pieces) {
  const std::size_t n = small_sizes_only() ? 50021 : 30000001;
  const auto input = random_ints(n, 1 << 30);
  auto expected = input;
  std::sort(expected.begin(), expected.end());
  const gpusort::max_device_bytes limit(n * sizeof(int) / 3);
  auto v = input;
  gpusort::sort(verifying.with(limit), v.begin(), v.end());
  EXPECT_EQ(v, expected);
  v = input;
  gpusort::sort(keeping_and_verifying.with(limit), v.begin(), v.end(), ordinary{});
  EXPECT_EQ(v, expected);
  std::deque<int> d(input.begin(), input.end());
  gpusort::stable_sort(keeping.with(limit), d.begin(), d.end());
  EXPECT_TRUE(std::equal(d.begin(), d.end(), expected.begin()));
}

// Not in a test, whose body is private: nvcc wants to name it.
void expect_sorts_by_indices_verified() {
  const std::size_t n = 50021;
  const auto input = random_ints(n);
  const buffer<int> range(n);
  const auto write = [&] { gpu_memory{}.copy(range.data(), input.data(), n * sizeof(int)); };
  int* const data = range.data();
  const auto swap = [=] __host__ __device__(std::size_t i, std::size_t j) {
    const int held = data[i];
    data[i] = data[j];
    data[j] = held;
  };
  const auto before = [=] __host__ __device__(std::size_t i, std::size_t j) {
    return data[i] < data[j];
  };
  const auto fetch = [=] __host__ __device__(std::size_t i) -> int { return data[i]; };
  write();
  gpusort::sort(verifying, 0, n, before, swap);
  write();
  gpusort::stable_sort(verifying, 0, n, fetch, gpusort::less{}, swap);
  const auto output = range.read();
  EXPECT_TRUE(std::is_sorted(output.begin(), output.end()));
  write();
  const auto nothing = [=] __host__ __device__(std::size_t, std::size_t) {};
  EXPECT_LT(
      place_found_by([&] { gpusort::sort(verifying, 0, n, fetch, gpusort::less{}, nothing); }), n);
}

TEST_F(verify_calls, sorts_by_indices) { expect_sorts_by_indices_verified(); }

}  // namespace
}  // namespace kit

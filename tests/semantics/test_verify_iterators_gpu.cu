// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify as calls on a device: iterators of Thrust, and sorts of indices.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>

#include "../kit/device.hpp"
#include "../kit/verifying.hpp"

namespace kit {
namespace {

class verify_iterators : public gpu_test {};

TEST_F(verify_iterators, zips_and_permutations) {
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

TEST_F(verify_iterators, sorts_by_indices) { expect_sorts_by_indices_verified(); }

}  // namespace
}  // namespace kit

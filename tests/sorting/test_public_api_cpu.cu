// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public calls compiled by nvcc and run on a machine without a device: the CPU sorts, and what
// cannot run there says so. On a machine with a device the GPU suites test the same calls.
#include <gtest/gtest.h>
#include <thrust/device_ptr.h>

#include <gpusort/gpusort.hpp>
#include <string>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/environment.hpp"
#include "../kit/public_api.hpp"

namespace kit {
namespace {

class without_device : public ::testing::Test {
 protected:
  void SetUp() override {
    if (has_device()) GTEST_SKIP() << "there is a CUDA device";
  }
};

TEST_F(without_device, numbers) {
  for (std::size_t n : public_api_sizes()) {
    for (auto d : every_distribution) {
      EXPECT_TRUE(public_api<std::uint32_t>(d, n, gpusort::less{}, reference_less{}));
      EXPECT_TRUE(public_api<float>(d, n, gpusort::greater{}, reference_greater{}));
    }
    EXPECT_TRUE(
        public_api<float>(distribution::special, n, gpusort::greater{}, reference_greater{}));
  }
}

TEST_F(without_device, halves) {
  for (std::size_t n : {100, 5000}) {
    EXPECT_TRUE(public_api<__half>(distribution::special, n, gpusort::less{}, reference_less{}));
  }
}

TEST_F(without_device, records_under_a_functor_of_both_sides) {
  for (std::size_t n : public_api_sizes()) {
    for (auto m : {behavior::honest, behavior::descending, behavior::coarse}) {
      EXPECT_TRUE(public_api<record<16>>(distribution::uniform, n, opaque(m), opaque(m)));
    }
    for (auto m : every_inconsistent_comparator) {
      EXPECT_TRUE(public_api_permutes<record<16>>(distribution::uniform, n, opaque(m, seed())));
    }
  }
}

TEST_F(without_device, sort_by_key_with_several_values) { sort_by_key_public_api(); }
TEST_F(without_device, bad_input) { bad_input_public_api(); }
TEST_F(without_device, argsort_is_sorted_and_scratch) { queries_public_api(); }
TEST_F(without_device, orders) { orders_public_api(); }
TEST_F(without_device, iterators) { iterators_public_api(); }
TEST_F(without_device, options) { options_public_api(); }

/// Runs `call` and returns the sentence of the cuda_error it throws; empty when it throws none.
template <class Call>
std::string sentence_of(Call call) {
  try {
    call();
  } catch (const gpusort::cuda_error& e) {
    return e.what();
  }
  return "";
}

// nvcc takes no extended lambda in a member function that is not public, as a test's body is.
std::string sort_by_device_lambda(std::vector<int>& values) {
  return sentence_of([&] {
    gpusort::sort(gpusort::par_gpu, values.begin(), values.end(),
                  [] __device__(int a, int b) { return a > b; });
  });
}

void sort_by_host_device_lambda(std::vector<int>& values) {
  gpusort::sort(gpusort::par_gpu, values.begin(), values.end(),
                [] __host__ __device__(int a, int b) { return a > b; });
}

TEST_F(without_device, a_device_lambda_is_refused_in_a_sentence) {
  std::vector<int> values{1, 3, 2};
  const std::string sentence = sort_by_device_lambda(values);
  EXPECT_GT(sentence.size(), 20u) << sentence;
  EXPECT_NE(sentence.find("lambda"), std::string::npos) << sentence;
  EXPECT_EQ(values, (std::vector<int>{1, 3, 2}));
}

TEST_F(without_device, a_lambda_of_both_sides_sorts) {
  std::vector<int> values{1, 3, 2};
  sort_by_host_device_lambda(values);
  EXPECT_EQ(values, (std::vector<int>{3, 2, 1}));
}

TEST_F(without_device, a_device_can_be_required) {
  std::vector<int> values{1, 3, 2};
  const auto policy = gpusort::par_gpu.with(gpusort::require_device);
  const std::string sentence =
      sentence_of([&] { gpusort::sort(policy, values.begin(), values.end()); });
  EXPECT_GT(sentence.size(), 20u);
  EXPECT_EQ(values, (std::vector<int>{1, 3, 2}));
  EXPECT_THROW(gpusort::stable_sort(policy, values.begin(), values.end()), gpusort::cuda_error);
  EXPECT_THROW(gpusort::is_sorted(policy, values.begin(), values.end()), gpusort::cuda_error);
  EXPECT_THROW(gpusort::sort_by_key(policy, values.begin(), values.begin() + 1, values.begin() + 1),
               gpusort::cuda_error);
}

// A type that says device cannot be served without one.
TEST_F(without_device, device_pointers_are_an_error) {
  int host[3] = {1, 3, 2};
  const thrust::device_ptr<int> first(host);
  EXPECT_THROW(gpusort::sort(gpusort::par_gpu, first, first + 3), gpusort::cuda_error);
  EXPECT_EQ(host[1], 3);
}

}  // namespace
}  // namespace kit

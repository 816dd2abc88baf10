// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify and keep_input compiled by nvcc, where there is no device.
#include <gtest/gtest.h>

#include <gpusort/gpusort.hpp>
#include <vector>

#include "../kit/device.hpp"

namespace kit {
namespace {

struct lies {
  __host__ __device__ bool operator()(int a, int b) const { return a <= b; }
};

class verify_without_device : public ::testing::Test {
 protected:
  void SetUp() override {
    if (has_device()) GTEST_SKIP() << "there is a CUDA device";
  }
};

TEST_F(verify_without_device, proves_and_keeps) {
  const auto policy = gpusort::par_gpu_nosync.with(gpusort::verify, gpusort::keep_input);
  std::vector<int> v = {3, 1, 2, 3, 1};
  const auto input = v;
  EXPECT_THROW(gpusort::sort(policy, v.begin(), v.end(), lies{}), gpusort::verification_failed);
  EXPECT_EQ(v, input);
  gpusort::sort(policy, v.begin(), v.end());
  EXPECT_EQ(v, (std::vector<int>{1, 1, 2, 3, 3}));
}

void sort_by_device_lambda(std::vector<int>& v) {
  gpusort::sort(gpusort::par_gpu.with(gpusort::verify), v.begin(), v.end(),
                [] __device__(int a, int b) { return a < b; });
}

TEST_F(verify_without_device, says_what_cannot_run) {
  std::vector<int> v = {3, 1, 2};
  EXPECT_THROW(sort_by_device_lambda(v), gpusort::cuda_error);
  EXPECT_EQ(v, (std::vector<int>{3, 1, 2}));
}

}  // namespace
}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public index sorts compiled by nvcc and run on a machine without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <gpusort/index_sort.hpp>
#include <string>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/environment.hpp"

namespace kit {
namespace {

class index_sort_without_device : public ::testing::Test {
 protected:
  void SetUp() override {
    if (has_device()) GTEST_SKIP() << "there is a CUDA device";
    for (int i = 0; i < 1000; ++i) values_[i] = (i * 7919) % 1009;
  }

  std::vector<int> values_ = std::vector<int>(1000);
};

// In place, so that the network is all there is to compile.
constexpr auto policy = gpusort::par_gpu.with(gpusort::in_place);

struct exchange {
  int* values;
  __host__ __device__ void operator()(int i, int j) {
    const int t = values[i];
    values[i] = values[j];
    values[j] = t;
  }
};

struct value_at {
  const int* values;
  __host__ __device__ int operator()(int i) const { return values[i]; }
};

TEST_F(index_sort_without_device, functions_of_both_sides) {
  gpusort::sort(policy, 0, 1000, value_at{values_.data()}, gpusort::greater{},
                exchange{values_.data()});
  EXPECT_TRUE(std::is_sorted(values_.rbegin(), values_.rend()));
}

struct compare_values {
  template <class Swap>
  static std::string failure_of(Swap swap) {
    try {
      gpusort::sort(
          policy, 0, 10, [] __device__(int, int) { return true; }, swap);
    } catch (const gpusort::cuda_error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(index_sort_without_device, device_lambdas_are_refused) {
  const std::string failure = compare_values::failure_of(exchange{values_.data()});
  EXPECT_NE(failure.find("__host__ __device__"), std::string::npos) << failure;
}

}  // namespace
}  // namespace kit

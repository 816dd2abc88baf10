// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public merges compiled by nvcc and run on a machine without a device: the CPU merges, and
// what cannot run there says so.
#include <thrust/device_ptr.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>

#include "../kit/device.hpp"
#include "../kit/environment.hpp"
#include "../kit/merge_public_api.hpp"

namespace kit {
namespace {

class merge_without_device : public ::testing::Test {
 protected:
  void SetUp() override {
    if (has_device()) GTEST_SKIP() << "there is a CUDA device";
  }
};

TEST_F(merge_without_device, numbers) {
  merges_public_api<std::uint32_t>(gpusort::less{}, reference_less{});
}
TEST_F(merge_without_device, records) {
  merges_public_api<record<16>>(opaque(behavior::coarse), opaque(behavior::coarse));
}
TEST_F(merge_without_device, inconsistent_comparators) {
  merge_inconsistent_comparators_public_api();
}
TEST_F(merge_without_device, by_key) { merge_by_key_public_api(); }
TEST_F(merge_without_device, iterators) { merge_iterators_public_api(); }
TEST_F(merge_without_device, bad_input) { merge_bad_input_public_api(); }

TEST_F(merge_without_device, from_and_to_nowhere) {
  const thrust::counting_iterator<int> numbers(0);
  const std::vector<int> keys{1, 5}, values{10, 50};
  std::vector<int> out(5);
  const auto nowhere = thrust::make_discard_iterator();
  const auto ends =
      gpusort::merge_by_key(gpusort::par_gpu, numbers, numbers + 3, keys.begin(), keys.end(),
                            numbers, values.begin(), nowhere, out.begin());
  EXPECT_EQ(ends.first - nowhere, 5);
  EXPECT_EQ(out, (std::vector<int>{0, 1, 10, 2, 50}));
  gpusort::merge_by_key(gpusort::par_gpu, numbers, numbers + 3, keys.begin(), keys.end(), numbers,
                        values.begin(), out.begin(), nowhere);
  EXPECT_EQ(out, (std::vector<int>{0, 1, 1, 2, 5}));
}

TEST_F(merge_without_device, what_cannot_run_here) {
  int data[4] = {1, 3, 2, 4}, out[4] = {};
  const auto policy = gpusort::par_gpu.with(gpusort::require_device);
  EXPECT_THROW(gpusort::merge(policy, data, data + 2, data + 2, data + 4, out),
               gpusort::cuda_error);
  EXPECT_THROW(gpusort::inplace_merge(policy, data, data + 2, data + 4), gpusort::cuda_error);
  const thrust::device_ptr<int> device(data);
  EXPECT_THROW(gpusort::merge(gpusort::par_gpu, data, data + 2, data + 2, data + 4, device + 4),
               gpusort::cuda_error);
  const int offsets[] = {0, 2, 4};
  EXPECT_THROW(gpusort::multiway_merge(policy, data, offsets, offsets + 3, out),
               gpusort::cuda_error);
  EXPECT_EQ(out[0], 0);
}

}  // namespace
}  // namespace kit

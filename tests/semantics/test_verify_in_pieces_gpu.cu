// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// verify and keep_input of ranges that are sorted in pieces.
#include <algorithm>
#include <deque>
#include <gpusort/external.hpp>

#include "../kit/device.hpp"
#include "../kit/verifying.hpp"

namespace kit {
namespace {

class verify_in_pieces : public gpu_test {};

TEST_F(verify_in_pieces, are_proven) {
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

}  // namespace
}  // namespace kit

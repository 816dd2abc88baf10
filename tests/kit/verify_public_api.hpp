// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts under verify and keep_input, on the CPU and wherever gpusort::par_gpu works: a result that
// is right passes, a comparator that lies is found out.

#include "verifying.hpp"

namespace kit {

TEST(verify, right_sorts_pass) {
  for (const std::size_t n : verified_sizes) {
    const auto input = random_ints(n);
    auto expected = input;
    std::sort(expected.begin(), expected.end());
    auto v = input;
    gpusort::sort(verifying, v.begin(), v.end());
    EXPECT_EQ(v, expected);
    v = input;
    gpusort::stable_sort(verifying, v.begin(), v.end(), ordinary{});
    EXPECT_EQ(v, expected);
    v = input;
    gpusort::sort(keeping_and_verifying, v.data(), v.data() + n, ordinary{});
    EXPECT_EQ(v, expected);
    std::vector<int> out(n);
    EXPECT_EQ(gpusort::sort_copy(verifying, input.begin(), input.end(), out.begin()), out.end());
    EXPECT_EQ(out, expected);
    std::reverse(expected.begin(), expected.end());
    v = input;
    gpusort::sort(verifying, v.rbegin(), v.rend());
    EXPECT_EQ(v, expected);
  }
}

/// Under `<` a NaN is equivalent to everything.
TEST(verify, nans_under_less_pass_and_under_an_operator_do_not) {
  std::vector<float> v(1000, 1.0f);
  for (std::size_t i = 0; i < v.size(); i += 3) v[i] = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 1; i < v.size(); i += 3) v[i] = -float(i);
  auto same = v;
  gpusort::sort(verifying, v.begin(), v.end());
  // It orders nothing that NaNs keep apart, which the neighbours cannot show: whatever is found is
  // a neighbour out of order, or nothing.
  const auto found =
      place_found_by([&] { gpusort::sort(verifying, same.begin(), same.end(), ordinary{}); });
  const auto first = std::is_sorted_until(same.begin(), same.end(), ordinary{}) - same.begin();
  EXPECT_EQ(found, first == 1000 ? std::uint64_t{1} << 62 : static_cast<std::uint64_t>(first));
}

// ---- keep_input ----

TEST(keep_input, the_range_ends_sorted) {
  for (const std::size_t n : verified_sizes) {
    const auto input = random_ints(n);
    auto expected = input;
    std::sort(expected.begin(), expected.end());
    std::deque<int> d(input.begin(), input.end());
    gpusort::sort(keeping, d.begin(), d.end());
    EXPECT_TRUE(std::equal(d.begin(), d.end(), expected.begin()));
    auto v = input;
    gpusort::stable_sort(keeping, v.begin(), v.end(), gpusort::less{}, itself{});
    EXPECT_EQ(v, expected);
    v = input;
    gpusort::sort_copy(keeping, v.begin(), v.end(), v.begin());
    EXPECT_EQ(v, expected);
    v = input;
    gpusort::sort(keeping, v.rbegin(), v.rend(), std::greater<>{});
    EXPECT_EQ(v, expected);
  }
}

TEST(keep_input, the_range_is_as_it_was_where_the_proof_fails) {
  std::vector<int> v = random_ints(100003, 100);
  const auto input = v;
  EXPECT_THROW(gpusort::sort(keeping_and_verifying, v.begin(), v.end(), lies),
               gpusort::verification_failed);
  EXPECT_EQ(v, input);
}

TEST(keep_input, ranges_that_overlap_are_refused_all_the_same) {
  std::vector<int> v = random_ints(100);
  EXPECT_THROW(gpusort::sort_by_key(keeping, v.begin(), v.begin() + 50, v.begin() + 25),
               std::invalid_argument);
}

}  // namespace kit

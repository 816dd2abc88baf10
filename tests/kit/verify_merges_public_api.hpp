// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merges and sorts of segments under verify and keep_input, on the CPU and wherever
// gpusort::par_gpu works.

#include "verifying.hpp"

namespace kit {

TEST(verify, right_merges_pass) {
  for (const std::size_t n : verified_sizes) {
    auto a = random_ints(n), b = random_ints(n + 7);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<int> expected(2 * n + 7), out(2 * n + 7);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    gpusort::merge(verifying, a.begin(), a.end(), b.begin(), b.end(), out.begin());
    EXPECT_EQ(out, expected);
    std::vector<long long> wide(2 * n + 7);
    gpusort::merge(verifying, a.begin(), a.end(), b.begin(), b.end(), wide.begin());
    EXPECT_TRUE(std::equal(wide.begin(), wide.end(), expected.begin()));
    std::vector<int> values_out(2 * n + 7);
    gpusort::merge_by_key(verifying, a.begin(), a.end(), b.begin(), b.end(), a.begin(), b.begin(),
                          out.begin(), values_out.begin());
    EXPECT_EQ(values_out, expected);
    using run = std::pair<const int*, const int*>;
    const std::vector<run> runs = {
        {a.data(), a.data() + n}, {b.data(), b.data() + n + 7}, {a.data(), a.data()}};
    std::fill(out.begin(), out.end(), 0);
    gpusort::multiway_merge(verifying, runs.begin(), runs.end(), out.begin());
    EXPECT_EQ(out, expected);
    auto both = a;
    both.insert(both.end(), b.begin(), b.end());
    const std::size_t offsets[] = {0, n, 2 * n + 7};
    std::fill(out.begin(), out.end(), 0);
    gpusort::multiway_merge_by_key(verifying, both.begin(), offsets, offsets + 3, both.begin(),
                                   out.begin(), values_out.begin(), ordinary{});
    EXPECT_EQ(out, expected);
    const auto middle = static_cast<std::ptrdiff_t>(n);
    auto again = both;
    gpusort::inplace_merge(verifying, both.begin(), both.begin() + middle, both.end());
    EXPECT_EQ(both, expected);
    gpusort::inplace_merge(keeping_and_verifying, again.begin(), again.begin() + middle,
                           again.end());
    EXPECT_EQ(again, expected);
  }
}

TEST(verify, right_segments_pass_and_what_is_outside_is_not_compared) {
  for (const std::size_t n : verified_sizes) {
    const auto input = random_ints(n);
    const std::vector<std::size_t> offsets = {n / 7, n / 5, n / 5, n / 3, n / 2, n - n / 9};
    auto expected = input;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      std::sort(expected.begin() + static_cast<std::ptrdiff_t>(offsets[s]),
                expected.begin() + static_cast<std::ptrdiff_t>(offsets[s + 1]));
    }
    auto v = input;
    gpusort::segmented_sort(verifying, v.begin(), v.end(), offsets.begin(), offsets.end());
    EXPECT_EQ(v, expected);
    v = input;
    auto values = input;
    gpusort::stable_segmented_sort_by_key(keeping_and_verifying, v.begin(), v.end(), values.begin(),
                                          offsets.begin(), offsets.end(), ordinary{});
    EXPECT_EQ(v, expected);
    EXPECT_EQ(values, expected);
  }
}

TEST(verify, inconsistent_comparators_of_merges_and_segments_are_found) {
  for (const std::size_t n : {std::size_t{2}, std::size_t{100}, std::size_t{100003}}) {
    std::vector<int> equal(n, 5), out(2 * n);
    EXPECT_EQ(place_found_by([&] {
                gpusort::merge(verifying, equal.begin(), equal.end(), equal.begin(), equal.end(),
                               out.begin(), lies);
              }),
              1u);
    // Its segments are {0}, {1} and the rest.
    const std::vector<std::size_t> offsets = {0, 1, 2, n};
    const auto found = place_found_by([&] {
      gpusort::segmented_sort(verifying, equal.begin(), equal.end(), offsets.begin(), offsets.end(),
                              lies);
    });
    EXPECT_EQ(found, n == 2 ? std::uint64_t{1} << 62 : 3u);
    EXPECT_TRUE(std::all_of(equal.begin(), equal.end(), [](int x) { return x == 5; }));
  }
}

TEST(verify, merging_what_is_not_sorted_is_found) {
  const std::vector<int> a = {1, 2, 9, 3, 4}, b = {1, 1, 1};
  std::vector<int> out(8);
  EXPECT_LT(place_found_by([&] {
              gpusort::merge(verifying, a.begin(), a.end(), b.begin(), b.end(), out.begin());
            }),
            8u);
}

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts by key and argsorts under verify and keep_input, on the CPU and wherever gpusort::par_gpu
// works; and comparators that lie.

#include "verifying.hpp"

namespace kit {

TEST(verify, elements_with_padding_pass) {
  for (const std::size_t n : verified_sizes) {
    const auto keys = random_ints(n, 100);
    std::vector<padded> v(n);
    std::memset(static_cast<void*>(v.data()), 0xAB, n * sizeof(padded));
    for (std::size_t i = 0; i < n; ++i) {
      v[i].key = static_cast<char>(keys[i]);
      v[i].payload = static_cast<int>(i);
      // Another padding for each.
      reinterpret_cast<unsigned char*>(&v[i])[1] = static_cast<unsigned char>(i);
    }
    std::vector<int> values(n);
    auto same = v;
    gpusort::sort(verifying, v.begin(), v.end(), by_padded_key{});
    gpusort::stable_sort_by_key(verifying, same.begin(), same.end(), values.begin(),
                                by_padded_key{});
    std::vector<std::pair<char, int>> pairs(n);
    for (std::size_t i = 0; i < n; ++i) pairs[i] = {static_cast<char>(keys[i]), int(i)};
    gpusort::sort(verifying, pairs.begin(), pairs.end());
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  }
}

TEST(verify, right_sorts_by_key_pass) {
  for (const std::size_t n : verified_sizes) {
    const auto input = random_ints(n);
    auto keys = input;
    std::vector<std::uint64_t> values(n);
    std::iota(values.begin(), values.end(), 0);
    std::deque<short> more(n, 7);
    gpusort::sort_by_key(verifying, keys.begin(), keys.end(), values.begin());
    gpusort::sort_by_key(verifying, keys.begin(), keys.end(), values.begin(), more.begin());
    gpusort::stable_sort_by_key(keeping_and_verifying, keys.begin(), keys.end(), values.begin(),
                                more.begin(), ordinary{});
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(keys[i], input[values[i]]);
  }
}

TEST(verify, right_argsorts_pass) {
  for (const std::size_t n : verified_sizes) {
    const auto keys = random_ints(n, 50);
    std::vector<std::uint32_t> places(n);
    gpusort::argsort(verifying, keys.begin(), keys.end(), places.begin());
    std::vector<std::int64_t> wide(n);
    gpusort::argsort(verifying, keys.begin(), keys.end(), wide.begin(), ordinary{});
    EXPECT_TRUE(std::equal(places.begin(), places.end(), wide.begin()));
  }
}

TEST(verify, inconsistent_comparators_are_found) {
  for (const std::size_t n : {std::size_t{2}, std::size_t{100}, std::size_t{100003}}) {
    std::vector<int> equal(n, 5), out(n);
    EXPECT_EQ(place_found_by([&] { gpusort::sort(verifying, equal.begin(), equal.end(), lies); }),
              1u);
    EXPECT_EQ(place_found_by([&] {
                gpusort::stable_sort_by_key(verifying, equal.begin(), equal.end(), out.begin(),
                                            lies);
              }),
              1u);
    std::vector<std::int64_t> places(n);
    EXPECT_EQ(place_found_by([&] {
                gpusort::argsort(verifying, equal.begin(), equal.end(), places.begin(), lies);
              }),
              1u);
    EXPECT_TRUE(std::all_of(equal.begin(), equal.end(), [](int x) { return x == 5; }));
  }
}

}  // namespace kit

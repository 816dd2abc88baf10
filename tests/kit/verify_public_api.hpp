// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The same calls under verify and keep_input, on the CPU and wherever gpusort::par_gpu works: a
// result that is right passes, a comparator that lies is found out.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <gpusort/gpusort.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace kit {

inline const auto verifying = gpusort::par_gpu.with(gpusort::verify);
inline const auto keeping = gpusort::par_gpu.with(gpusort::keep_input);
inline const auto keeping_and_verifying = keeping.with(gpusort::verify);

/// With padding, which is hashed as it is.
struct padded {
  char key;
  int payload;
};
struct by_padded_key {
  GPUSORT_HOST_DEVICE bool operator()(const padded& a, const padded& b) const {
    return a.key < b.key;
  }
};

struct itself {
  GPUSORT_HOST_DEVICE int operator()(int x) const { return x; }
};
/// The order by `<`, opaque, or no strict weak order: two equal elements are each before the other.
/// Which is a value, so that calls that are right and calls that lie have one instantiation.
struct ordinary {
  bool lies = false;

  template <class T>
  GPUSORT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return lies ? !(b < a) : a < b;
  }
};
inline constexpr ordinary lies{true};

inline std::vector<int> random_ints(std::size_t n, int below = 1000) {
  std::mt19937 random(static_cast<unsigned>(n + 1));
  std::vector<int> values(n);
  for (int& v : values) v = static_cast<int>(random() % static_cast<unsigned>(below));
  return values;
}

/// Where a call throws verification_failed; a number beyond any place where it does not.
template <class Call>
std::uint64_t place_found_by(Call call) {
  try {
    call();
  } catch (const gpusort::verification_failed& e) {
    EXPECT_NE(std::string(e.what()).find(": verify: "), std::string::npos);
    return e.position();
  }
  return std::uint64_t{1} << 62;
}

inline const std::size_t verified_sizes[] = {0, 1, 2, 3, 100, 5000, 100003};

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

TEST(verify, inconsistent_comparators_are_found) {
  for (const std::size_t n : {std::size_t{2}, std::size_t{100}, std::size_t{100003}}) {
    std::vector<int> equal(n, 5), out(2 * n);
    EXPECT_EQ(place_found_by([&] { gpusort::sort(verifying, equal.begin(), equal.end(), lies); }),
              1u);
    EXPECT_EQ(place_found_by([&] {
                gpusort::stable_sort_by_key(verifying, equal.begin(), equal.end(), out.begin(),
                                            lies);
              }),
              1u);
    EXPECT_EQ(place_found_by([&] {
                gpusort::merge(verifying, equal.begin(), equal.end(), equal.begin(), equal.end(),
                               out.begin(), lies);
              }),
              1u);
    std::vector<std::int64_t> places(n);
    EXPECT_EQ(place_found_by([&] {
                gpusort::argsort(verifying, equal.begin(), equal.end(), places.begin(), lies);
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

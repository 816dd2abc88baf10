// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA/thrust#954: functors that can be copied and not assigned, as their members are constant or
// references, were assigned somewhere within.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/devices.hpp>
#include <gpusort/distributed/in_process.hpp>
#include <gpusort/gpusort.hpp>
#include <numeric>
#include <type_traits>
#include <vector>

#include "../kit/random.hpp"

namespace {

using gpusort::par_gpu;
using numbers = std::vector<std::uint32_t>;

struct by_remainder {
  const std::uint32_t modulus;
  const std::uint32_t& offset;

  bool operator()(std::uint32_t a, std::uint32_t b) const {
    return (a + offset) % modulus < (b + offset) % modulus;
  }
};
struct quotient {
  const std::uint32_t divisor;
  std::uint32_t operator()(std::uint32_t x) const { return x / divisor; }
};
static_assert(!std::is_copy_assignable_v<by_remainder> && !std::is_copy_assignable_v<quotient> &&
              !std::is_default_constructible_v<by_remainder>);

class const_members : public ::testing::Test {
 protected:
  static constexpr std::size_t n = 5000;
  const std::uint32_t offset = 3;
  const by_remainder compare{1000, offset};
  numbers in = make();
  numbers expected = sorted(in);

  static numbers make() {
    numbers all(n);
    for (std::size_t i = 0; i < n; ++i) {
      all[i] = static_cast<std::uint32_t>(kit::random_at(kit::seed(), i) >> 40);
    }
    return all;
  }
  numbers sorted(numbers v) const {
    std::stable_sort(v.begin(), v.end(), compare);
    return v;
  }
};

TEST_F(const_members, of_comparators) {
  numbers v = in, values(n), order(n);
  gpusort::stable_sort(par_gpu.with(gpusort::verify, gpusort::keep_input), v.begin(), v.end(),
                       compare);
  EXPECT_EQ(v, expected);
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, v.begin(), v.end(), compare));
  v = in;
  gpusort::stable_sort_by_key(par_gpu, v.begin(), v.end(), values.begin(), compare);
  EXPECT_EQ(v, expected);
  gpusort::argsort(par_gpu, in.begin(), in.end(), order.begin(), compare);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(in[order[i]], expected[i]);
}

TEST_F(const_members, of_comparators_in_merges_and_segments) {
  const std::size_t half = n / 2, offsets[] = {0, half, n};
  numbers v = in, merged(n);
  gpusort::stable_segmented_sort(par_gpu, v.begin(), v.end(), offsets, offsets + 3, compare);
  gpusort::merge(par_gpu, v.begin(), v.begin() + half, v.begin() + half, v.end(), merged.begin(),
                 compare);
  EXPECT_EQ(merged, expected);
  gpusort::multiway_merge(par_gpu, v.begin(), offsets, offsets + 3, merged.begin(), compare);
  EXPECT_EQ(merged, expected);
  gpusort::inplace_merge(par_gpu, v.begin(), v.begin() + half, v.end(), compare);
  EXPECT_EQ(v, expected);
}

TEST_F(const_members, of_comparators_of_indices) {
  numbers v = in;
  const auto fetch = [&](std::size_t i) { return v[i]; };
  const auto swap = [&](std::size_t i, std::size_t j) { std::swap(v[i], v[j]); };
  gpusort::stable_sort(par_gpu, std::size_t{0}, n, fetch, compare, swap);
  EXPECT_EQ(v, expected);
}

TEST_F(const_members, of_comparators_of_ranks_and_shards) {
  numbers v = in;
  gpusort::distributed::in_process world(2);
  const std::vector<gpusort::distributed::rank_range<numbers::iterator>> ranges = {
      {v.begin(), v.begin() + 1000}, {v.begin() + 1000, v.end()}};
  gpusort::distributed::stable_sort(world, par_gpu, ranges, compare);
  EXPECT_EQ(v, expected);
  v = in;
  gpusort::stable_sort(
      par_gpu, gpusort::shards<std::uint32_t>({{v.data(), 1000}, {v.data() + 1000, n - 1000}}),
      compare);
  EXPECT_EQ(v, expected);
}

TEST_F(const_members, of_projections) {
  numbers v = in, by_quotient = in;
  std::stable_sort(by_quotient.begin(), by_quotient.end(),
                   [](auto a, auto b) { return a / 100 < b / 100; });
  gpusort::stable_sort(par_gpu, v.begin(), v.end(), {}, quotient{100});
  EXPECT_EQ(v, by_quotient);
  v = in;
  gpusort::stable_sort(par_gpu, v.begin(), v.end(), gpusort::order_by(gpusort::asc(quotient{100})));
  EXPECT_EQ(v, by_quotient);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `<=` in the place of `<` (NVIDIA/thrust#933), with which merges have run out of their ranges: no
// element is lost, calls return, and what was to be sorted is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gpusort/gpusort.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "../kit/environment.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

struct less_equal {
  GPUSORT_HOST_DEVICE bool operator()(int a, int b) const { return a <= b; }
};

/// Returns numbers of which many are equal; of an odd number of them all.
std::vector<int> numbers(std::size_t n) {
  std::vector<int> made(n);
  for (std::size_t i = 0; i < n; ++i) made[i] = static_cast<int>(n % 2 == 1 ? 7 : i * 7919 % 97);
  return made;
}

constexpr std::size_t sizes[] = {2, 3, 33, 34, 1000, 1001, 40000, 40001};

TEST(less_equal_as_comparator, sorts) {
  for (std::size_t n : sizes) {
    const auto in = numbers(n);
    auto sorted = in, expected = in, stably_sorted = in, by_key = in;
    std::sort(expected.begin(), expected.end());
    gpusort::sort(par_gpu, sorted.begin(), sorted.end(), less_equal());
    EXPECT_EQ(sorted, expected);
    gpusort::stable_sort(par_gpu, stably_sorted.begin(), stably_sorted.end(), less_equal());
    EXPECT_EQ(stably_sorted, expected);

    std::vector<std::uint32_t> values(n), indices(n);
    std::iota(values.begin(), values.end(), 0u);
    gpusort::sort_by_key(par_gpu, by_key.begin(), by_key.end(), values.begin(), less_equal());
    gpusort::argsort(par_gpu, in.begin(), in.end(), indices.begin(), less_equal());
    for (const auto& of : {values, indices}) {
      std::vector<int> found(n);
      std::transform(of.begin(), of.end(), found.begin(), [&](std::uint32_t i) { return in[i]; });
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(less_equal_as_comparator, merges) {
  for (std::size_t n : sizes) {
    auto in = numbers(n), expected = in;
    std::sort(expected.begin(), expected.end());
    const auto half = static_cast<std::ptrdiff_t>(n / 2);
    std::sort(in.begin(), in.begin() + half);
    std::sort(in.begin() + half, in.end());
    std::vector<int> out(n);
    gpusort::merge(par_gpu, in.begin(), in.begin() + half, in.begin() + half, in.end(), out.begin(),
                   less_equal());
    EXPECT_EQ(out, expected);
    const std::array<std::size_t, 3> offsets = {0, n / 2, n};
    gpusort::multiway_merge(par_gpu, in.begin(), offsets.begin(), offsets.end(), out.begin(),
                            less_equal());
    EXPECT_EQ(out, expected);
    gpusort::inplace_merge(par_gpu, in.begin(), in.begin() + half, in.end(), less_equal());
    EXPECT_EQ(in, expected);
  }
}

TEST(less_equal_as_comparator, sorts_segments_and_indices) {
  for (std::size_t n : sizes) {
    auto segments = numbers(n), indexed = segments, expected = segments;
    const auto half = static_cast<std::ptrdiff_t>(n / 2);
    std::sort(expected.begin(), expected.begin() + half);
    std::sort(expected.begin() + half, expected.end());
    const std::array<std::uint32_t, 3> offsets = {0, static_cast<std::uint32_t>(n / 2),
                                                  static_cast<std::uint32_t>(n)};
    gpusort::segmented_sort(par_gpu, segments.begin(), segments.end(), offsets.begin(),
                            offsets.end(), less_equal());
    EXPECT_EQ(segments, expected);
    auto in_place = indexed;
    const auto sort_indexed = [n](const auto& policy, std::vector<int>& v) {
      gpusort::sort(
          policy, std::size_t{0}, n, [&](std::size_t i, std::size_t j) { return v[i] <= v[j]; },
          [&](std::size_t i, std::size_t j) { std::swap(v[i], v[j]); });
    };
    sort_indexed(par_gpu, indexed);
    sort_indexed(par_gpu.with(gpusort::in_place), in_place);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(indexed, expected);
    EXPECT_EQ(in_place, expected);
  }
}

}  // namespace
}  // namespace kit

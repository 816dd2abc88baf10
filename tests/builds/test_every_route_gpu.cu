// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort on each route, for programs that are built in other ways: tests/CMakeLists.txt builds it
// for a debugger (-G -O0) and for separable compilation (-rdc=true). Types of its own, so that no
// other test has the same kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <gpusort/gpusort.hpp>

#include "../kit/device.hpp"

namespace {

struct price {
  float value;
};

struct by_value {
  __host__ __device__ bool operator()(const price& a, const price& b) const {
    return a.value < b.value;
  }
};

struct by_last_digits {
  __host__ __device__ bool operator()(int a, int b) const { return a % 1000 < b % 1000; }
};

// Sizes of one block, of a cluster, of one cooperative launch, and of several launches.
const std::size_t sizes[] = {2, 900, 5000, 9000, 23330, 100000, 300000};

template <class T, class Make>
kit::column<T> made(std::size_t n, Make make) {
  kit::column<T> values(n);
  std::uint32_t x = 12345;
  for (T& value : values) value = make(x = x * 1664525 + 1013904223);
  return values;
}

bool are_equal(const kit::column<int>& a, const kit::column<int>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

class builds : public kit::gpu_test {};

TEST_F(builds, sort_and_stable_sort_by_a_functor) {
  for (std::size_t n : sizes) {
    const auto input = made<price>(n, [](std::uint32_t x) { return price{float(x % 5000)}; });
    auto wanted = input;
    std::stable_sort(wanted.begin(), wanted.end(), by_value{});
    for (bool is_stable : {false, true}) {
      const kit::buffer<price> range(input, 0);
      if (is_stable) {
        gpusort::stable_sort(gpusort::par_gpu, range.data(), range.data() + n, by_value{});
      } else {
        gpusort::sort(gpusort::par_gpu, range.data(), range.data() + n, by_value{});
      }
      const auto found = range.read();
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(found[i].value, wanted[i].value) << i << " of " << n << ", " << is_stable;
      }
    }
  }
}

TEST_F(builds, numbers_by_a_functor_and_by_less) {
  for (std::size_t n : sizes) {
    const auto input = made<int>(n, [](std::uint32_t x) { return int(x >> 1); });
    auto wanted = input;
    const kit::buffer<int> range(input, 0);
    gpusort::sort(gpusort::par_gpu, range.data(), range.data() + n);
    std::sort(wanted.begin(), wanted.end());
    ASSERT_TRUE(are_equal(range.read(), wanted)) << n;
    gpusort::sort(gpusort::par_gpu, range.data(), range.data() + n, by_last_digits{});
    const auto found = range.read();
    ASSERT_TRUE(std::is_sorted(found.begin(), found.end(), by_last_digits{})) << n;
  }
}

TEST_F(builds, values_follow_their_keys) {
  for (std::size_t n : sizes) {
    const auto input = made<int>(n, [](std::uint32_t x) { return int(x >> 1); });
    const kit::buffer<int> keys(input, 0), values(input, 0);
    gpusort::stable_sort_by_key(gpusort::par_gpu, keys.data(), keys.data() + n, values.data(),
                                by_last_digits{});
    auto wanted = input;
    std::stable_sort(wanted.begin(), wanted.end(), by_last_digits{});
    ASSERT_TRUE(are_equal(keys.read(), wanted) && are_equal(values.read(), wanted)) << n;
  }
}

}  // namespace

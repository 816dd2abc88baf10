// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default order of tuples and arrays, on the device.
#include <array>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <numeric>
#include <tuple>

#include "../kit/expect_sorted.hpp"

namespace kit {

using default_orders = gpu_test;

/// Both halves sorted and merged are all in order, and is_sorted sees it.
template <class T>
void expect_merged(const column<T>& input) {
  const std::size_t half = input.size() / 2;
  const buffer<T> range(input, 0), merged(input.size(), 0);
  T* const first = range.begin();
  gpusort::sort(gpusort::par_gpu, first, first + half);
  gpusort::sort(gpusort::par_gpu, first + half, range.end());
  EXPECT_FALSE(gpusort::is_sorted(gpusort::par_gpu, first, range.end()));
  gpusort::merge(gpusort::par_gpu, first, first + half, first + half, range.end(), merged.begin());
  EXPECT_TRUE(gpusort::is_sorted(gpusort::par_gpu, merged.begin(), merged.end()));
  const findings f =
      examine(input, merged.read(), gpusort::less{}, promise::order, std::size_t{1} << 20);
  EXPECT_TRUE(f.ok()) << "merge, n = " << input.size() << ": " << f;
}

template <class T>
void expect_sorted_by_key(const column<T>& input) {
  column<std::uint32_t> indices(input.size());
  std::iota(indices.begin(), indices.end(), 0u);
  const buffer<T> keys(input, 0);
  const buffer<std::uint32_t> values(indices, 0);
  gpusort::stable_sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin());
  const auto sorted = keys.read();
  const auto moved = values.read();
  const gpusort::less less;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    ASSERT_TRUE(same_bytes(sorted[i], input[moved[i]])) << i;
    if (i == 0) continue;
    ASSERT_FALSE(less(sorted[i], sorted[i - 1])) << i;
    ASSERT_TRUE(less(sorted[i - 1], sorted[i]) || moved[i - 1] < moved[i]) << i;
  }
}

template <class Make>
void expect_ordered(Make make) {
  for (std::size_t n : {std::size_t{100}, std::size_t{1} << 20}) {
    auto input = make_all(n, [&](std::uint64_t i, std::uint64_t) {
      const std::uint64_t r = random_at(seed(), i);
      return make(static_cast<int>(r % 50), static_cast<int>(r >> 40));
    });
    expect_sorted(input, gpusort::less{});
    expect_sorted(input, gpusort::greater{}, gpusort::greater{});
    expect_merged(input);
    expect_sorted_by_key(input);
  }
}

TEST_F(default_orders, of_std_tuples) {
  expect_ordered([](int a, int b) { return std::tuple<int, float>(a, static_cast<float>(b)); });
}

TEST_F(default_orders, of_std_arrays) {
  expect_ordered([](int a, int b) { return std::array<int, 3>{a, b, a ^ b}; });
}

TEST_F(default_orders, of_nested_elements) {
  expect_ordered([](int a, int b) {
    return std::pair(std::tuple<int, float>(a, 1.f), std::array<int, 3>{1, b, a});
  });
}

TEST_F(default_orders, of_cuda_std_elements) {
  expect_ordered([](int a, int b) {
    return cuda::std::tuple<int, cuda::std::array<int, 2>>(a, cuda::std::array<int, 2>{b, a});
  });
}

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default order of tuples and arrays, on the device.
#include <array>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <tuple>

#include "../kit/expect_sorted.hpp"

namespace kit {

using default_orders = gpu_test;

template <class Make>
void expect_ordered(Make make) {
  for (std::size_t n : {std::size_t{100}, std::size_t{1} << 20}) {
    auto input = make_all(n, [&](std::uint64_t i, std::uint64_t) {
      const std::uint64_t r = random_at(seed(), i);
      return make(static_cast<int>(r % 50), static_cast<int>(r >> 40));
    });
    expect_sorted(input, gpusort::less{});
    expect_sorted(input, gpusort::greater{});
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

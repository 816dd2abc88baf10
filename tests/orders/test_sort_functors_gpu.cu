// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functors of std, cuda::std and Thrust.
#include <thrust/functional.h>

#include <cuda/std/functional>
#include <functional>
#include <utility>

#include "../kit/expect_sorted.hpp"

namespace kit {

using functors = gpu_test;

TEST_F(functors, standard_functors) {
  using u32 = std::uint32_t;
  for (std::size_t n : order_sizes()) {
    const auto input = generate<u32>(distribution::gaussian, n, seed());
    const reference_less up;
    const reference_greater down;
    expect_sorted(input, up);
    expect_sorted(input, up, std::less<>{});
    expect_sorted(input, up, std::less<u32>{});
    expect_sorted(input, up, cuda::std::less<>{});
    expect_sorted(input, up, cuda::std::less<u32>{});
    expect_sorted(input, up, thrust::less<u32>{});
    expect_sorted(input, down, std::greater<>{});
    expect_sorted(input, down, std::greater<u32>{});
    expect_sorted(input, down, cuda::std::greater<u32>{});
    expect_sorted(input, down, thrust::greater<u32>{});
  }
}

// std::less<int> over unsigned numbers compares ints.
TEST_F(functors, a_functor_of_another_type) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        generate<std::uint32_t>(distribution::uniform, n, seed()),
        [](std::uint32_t a, std::uint32_t b) { return static_cast<int>(a) < static_cast<int>(b); },
        std::less<int>{});
  }
}

TEST_F(functors, pairs) {
  using pair = std::pair<std::uint32_t, float>;
  for (std::size_t n : order_sizes()) {
    expect_sorted(make_all(n,
                           [](std::uint64_t i, std::uint64_t) {
                             const std::uint64_t r = random_at(seed(), i);
                             return pair(static_cast<std::uint32_t>(r % 50),
                                         static_cast<float>(r >> 40));
                           }),
                  std::less<pair>{});
  }
}

}  // namespace kit

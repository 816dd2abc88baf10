// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bitonic network as paper 004 writes it (bench/papers), under honest comparators.
#include <cstdint>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"
#include "../kit/sizes.hpp"
#include "papers/bitonic_network.hpp"

namespace {

using key = std::uint32_t;
using kit::distribution;

/// The lambdas of the paper, on an array whose elements are at indices from `first` on.
struct fetch_element {
  const key* data;
  std::int64_t first;
  GPUSORT_DEVICE key operator()(std::int64_t i) const { return data[i - first]; }
};
struct compare_elements {
  fetch_element fetch;
  GPUSORT_DEVICE bool operator()(std::int64_t i, std::int64_t j) const {
    return fetch(i) < fetch(j);
  }
};
struct swap_elements {
  key* data;
  std::int64_t first;
  GPUSORT_DEVICE void operator()(std::int64_t i, std::int64_t j) const {
    const key held = data[i - first];
    data[i - first] = data[j - first];
    data[j - first] = held;
  }
};

template <class Sort>
void expect_sorted(Sort sort) {
  std::vector<std::size_t> sizes = kit::edge_sizes();
  for (std::size_t n = 4; n < 70; ++n) sizes.push_back(n);
  sizes.push_back(20011);
  for (std::size_t n : sizes) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::reverse}) {
      const auto input = kit::generate<key>(d, n, kit::seed());
      const kit::buffer<key> data(input, n % 3);
      sort(data.data(), n);
      auto f = kit::examine(input, data.read(), kit::reference_less{}, kit::promise::order);
      f.zones_intact = data.intact();
      ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
    }
  }
}

class bitonic_network_test : public kit::gpu_test {};

TEST_F(bitonic_network_test, by_compare_and_swap) {
  expect_sorted([](key* data, std::size_t n) {
    papers::bitonic_network(nullptr, -5, n, compare_elements{{data, -5}}, swap_elements{data, -5});
  });
}

TEST_F(bitonic_network_test, by_fetch_compare_and_swap) {
  expect_sorted([](key* data, std::size_t n) {
    papers::bitonic_network(nullptr, std::int64_t{7}, n, fetch_element{data, 7},
                            kit::reference_less{}, swap_elements{data, 7});
  });
}

TEST_F(bitonic_network_test, of_an_array) {
  expect_sorted([](key* data, std::size_t n) {
    papers::bitonic_network_sort(nullptr, data, n, kit::reference_less{});
  });
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort by its own interface; as a route of gpusort::sort it is tested with all others.
#include <gpusort/detail/algorithm/bitonic_sort.hpp>

#include "../kit/algorithm_properties.hpp"

namespace {

using gpusort::detail::bitonic_sort;
using gpusort::detail::ceil_log2;
using gpusort::detail::key_array;

struct by_bitonic_sort {
  static constexpr kit::promise promised = kit::promise::order;
  static constexpr bool only_in_place = true;
  static constexpr std::size_t several_tiles = 20011;
  static constexpr std::size_t fixed_scratch = 0;

  template <class T>
  static std::vector<std::size_t> sizes() {
    std::vector<std::size_t> all;
    for (const auto& some : {kit::edge_sizes(), kit::medium_sizes(), kit::large_sizes()}) {
      for (std::size_t n : some) {
        if (n * sizeof(T) <= std::size_t{1} << 23) all.push_back(n);
      }
    }
    return all;
  }
  static std::vector<std::size_t> sizes_for_liars() { return {2, 1000, 4097, 20021}; }

  template <class Array, class Compare>
  static std::size_t scratch_bytes(std::uint64_t) {
    return 0;
  }
  template <class Array, class Compare>
  static void run(cudaStream_t stream, Array, Array range, std::size_t n, Compare comp, void*) {
    bitonic_sort<Array, Compare>::run(stream, range, n, comp);
  }
};

template <class T>
using sorted = kit::sorted_by<by_bitonic_sort, T, kit::reference_less>;
using elements = ::testing::Types<sorted<std::uint32_t>, sorted<double>, sorted<kit::record<8>>,
                                  sorted<kit::record<32, 16>>, sorted<kit::record<48>>,
                                  sorted<kit::record<100, 1>>, sorted<kit::record<128, 16>>,
                                  sorted<kit::record<4096>>>;
using numbers = sorted<std::uint32_t>;
using under_orders = ::testing::Types<sorted<std::uint32_t>, sorted<kit::record<100>>>;
using with_values = ::testing::Types<kit::carried_by<by_bitonic_sort, std::uint32_t>,
                                     kit::carried_by<by_bitonic_sort, kit::record<64>>>;

TEST(bitonic_sort, launches_are_bounded) {
  const auto expect_bounded = [](auto value) {
    using tested = bitonic_sort<key_array<decltype(value)>, kit::reference_less>;
    for (std::uint64_t n = 3; n < std::uint64_t{1} << 40; n += n / 3 + 1) {
      EXPECT_LE(tested::launches(n), ceil_log2(n) * (ceil_log2(n) + 1) / 2) << n;
    }
  };
  expect_bounded(std::uint32_t{});
  expect_bounded(double{});
  expect_bounded(kit::record<8>{});
  expect_bounded(kit::record<32, 16>{});
  expect_bounded(kit::record<48>{});
  expect_bounded(kit::record<100, 1>{});
  expect_bounded(kit::record<128, 16>{});
  expect_bounded(kit::record<4096>{});
}

}  // namespace

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(bitonic_sort, algorithm_on_elements, elements);
INSTANTIATE_TYPED_TEST_SUITE_P(bitonic_sort, algorithm_under_orders, under_orders);
INSTANTIATE_TYPED_TEST_SUITE_P(bitonic_sort, algorithm_with_values, with_values);
INSTANTIATE_TYPED_TEST_SUITE_P(bitonic_sort, algorithm_in_graphs, numbers);
}  // namespace kit

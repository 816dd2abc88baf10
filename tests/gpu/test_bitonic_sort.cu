// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort by its own interface; as a route of gpusort::sort it is tested with all others.
#include <gpusort/detail/algorithm/bitonic_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "kit/check.hpp"
#include "kit/device.hpp"
#include "kit/generate.hpp"
#include "kit/graph.hpp"
#include "kit/orders.hpp"
#include "kit/sizes.hpp"

namespace {

using gpusort::detail::bitonic_sort;
using gpusort::detail::by_key;
using gpusort::detail::ceil_log2;
using gpusort::detail::key_array;
using gpusort::detail::key_value_array;
using kit::distribution;
using kit::opaque;

template <class T>
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all;
  for (const auto& some : {kit::edge_sizes(), kit::medium_sizes(), kit::large_sizes()}) {
    for (std::size_t n : some) {
      if (n * sizeof(T) <= std::size_t{1} << 23) all.push_back(n);
    }
  }
  return all;
}

template <class T, class Compare>
kit::findings sort_and_examine(distribution d, std::size_t n, Compare comp,
                               kit::promise promised = kit::promise::order) {
  const kit::column<T> input = kit::generate<T>(d, n, kit::seed());
  const kit::buffer<T> data(input, n % 5);
  bitonic_sort<key_array<T>, Compare>::run(nullptr, key_array<T>{data.data()}, n, comp);
  kit::findings f = kit::examine(input, data.read(), comp, promised, 2048);
  f.zones_intact = data.intact();
  return f;
}

template <class T>
class bitonic_sort_of : public kit::gpu_test {};
using element_types =
    ::testing::Types<std::uint32_t, double, kit::record<8>, kit::record<32, 16>, kit::record<48>,
                     kit::record<100, 1>, kit::record<128, 16>, kit::record<4096>>;
TYPED_TEST_SUITE(bitonic_sort_of, element_types);

TYPED_TEST(bitonic_sort_of, sizes_and_distributions) {
  for (std::size_t n : sizes<TypeParam>()) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal,
                   distribution::sorted, distribution::reverse, distribution::organ_pipe}) {
      if (n > 20000 && d != distribution::uniform && d != distribution::few_distinct) continue;
      const auto f = sort_and_examine<TypeParam>(d, n, kit::reference_less{});
      ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
    }
  }
}

TYPED_TEST(bitonic_sort_of, launches_are_bounded) {
  using tested = bitonic_sort<key_array<TypeParam>, kit::reference_less>;
  for (std::uint64_t n = 3; n < std::uint64_t{1} << 40; n += n / 3 + 1) {
    EXPECT_LE(tested::launches(n), ceil_log2(n) * (ceil_log2(n) + 1) / 2) << n;
  }
}

template <class T>
class bitonic_sort_inconsistent : public kit::gpu_test {};
using inconsistent_types = ::testing::Types<std::uint32_t, kit::record<100>>;
TYPED_TEST_SUITE(bitonic_sort_inconsistent, inconsistent_types);

TYPED_TEST(bitonic_sort_inconsistent, keep_a_permutation) {
  const kit::shared_counter counter;
  for (auto behavior : kit::every_inconsistent_comparator) {
    for (std::size_t n : {2, 1000, 4097, 20021}) {
      const opaque inconsistent(behavior, kit::seed(), counter.get());
      const auto f = sort_and_examine<TypeParam>(distribution::uniform, n, inconsistent,
                                                 kit::promise::permutation);
      ASSERT_TRUE(f.ok()) << kit::name_of(behavior) << ", n = " << n << ": " << f;
    }
  }
}

template <class Value>
class bitonic_sort_with : public kit::gpu_test {};
using value_types = ::testing::Types<std::uint32_t, kit::record<64>>;
TYPED_TEST_SUITE(bitonic_sort_with, value_types);

TYPED_TEST(bitonic_sort_with, moves_values_with_their_keys) {
  using array = key_value_array<std::uint32_t, TypeParam>;
  using tested = bitonic_sort<array, by_key<kit::reference_less>>;
  for (std::size_t n : {0, 1, 2, 1000, 4096, 10007}) {
    const auto keys_in = kit::generate<std::uint32_t>(distribution::uniform, n, kit::seed());
    kit::column<TypeParam> values_in(n);
    for (std::size_t i = 0; i < n; ++i) {
      values_in[i] = kit::make_value<TypeParam>(std::uint64_t{keys_in[i]} << 32, keys_in[i]);
    }
    const kit::buffer<std::uint32_t> keys(keys_in, 1);
    const kit::buffer<TypeParam> values(values_in, 1);
    tested::run(nullptr, array{keys.data(), values.data()}, n, {});
    const auto sorted = keys.read();
    const auto moved = values.read();
    const auto f = kit::examine(keys_in, sorted, kit::reference_less{}, kit::promise::order);
    ASSERT_TRUE(f.ok()) << f;
    for (std::size_t i = 0; i < n; ++i) {
      const auto expected = kit::make_value<TypeParam>(std::uint64_t{sorted[i]} << 32, sorted[i]);
      ASSERT_TRUE(kit::same_bytes(moved[i], expected)) << i << " of " << n;
    }
    ASSERT_TRUE(keys.intact() && values.intact());
  }
}

class bitonic_sort_test : public kit::gpu_test {};

TEST_F(bitonic_sort_test, is_captured_and_repeated) {
  const std::size_t n = 20011;
  const auto input = kit::generate<std::uint32_t>(distribution::uniform, n, kit::seed());
  kit::buffer<std::uint32_t> data(input, 0);
  const kit::stream s;
  const kit::graph g(s, [&] {
    using tested = bitonic_sort<key_array<std::uint32_t>, kit::reference_less>;
    tested::run(s, key_array<std::uint32_t>{data.data()}, n, {});
  });
  for (int repetition = 0; repetition < 2; ++repetition) {
    data.write(input);
    g.launch(s);
    const auto f = kit::examine(input, data.read(), kit::reference_less{}, kit::promise::order);
    ASSERT_TRUE(f.ok()) << f;
  }
}

}  // namespace

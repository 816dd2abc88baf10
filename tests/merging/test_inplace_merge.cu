// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The merge in place by its own interface.
#include <gpusort/detail/algorithm/inplace_merge.hpp>
#include <gpusort/detail/support/element_order.hpp>
#include <gpusort/detail/support/zip_array.hpp>
#include <gpusort/detail/tile/columns_array.hpp>

#include <cmath>
#include <set>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/graph.hpp"
#include "../kit/orders.hpp"
#include "../kit/places.hpp"
#include "../kit/runs.hpp"
#include "../kit/sizes.hpp"

namespace {

using gpusort::detail::by_key;
using gpusort::detail::by_stored_value;
using gpusort::detail::columns_array;
using gpusort::detail::inplace_merge;
using gpusort::detail::key_array;
using gpusort::detail::key_value_array;
using gpusort::detail::zip_array;
using kit::distribution;
using kit::opaque;

template <class T, class Compare>
using merger = inplace_merge<key_array<T>, Compare>;

/// Returns as many bytes as the host sorts in a moment; fewer of elements it is slow to move.
template <class T>
std::vector<std::size_t> sizes() {
  constexpr std::size_t most_bytes = std::size_t{1} << (sizeof(T) > 128 ? 22 : 24);
  std::vector<std::size_t> all;
  for (const auto& some : {kit::edge_sizes(), kit::medium_sizes(), kit::large_sizes()}) {
    for (std::size_t n : some) {
      if (n * sizeof(T) <= most_bytes) all.push_back(n);
    }
  }
  return all;
}

/// Returns where the second run may begin.
std::set<std::size_t> middles(std::size_t n) {
  if (n == 0) return {0};
  if (n > 20000) return {1, n / 7, n / 2, n - n / 50};
  return {0, 1, n / 7, n / 2, n - n / 50, n - 1, n};
}

template <class T, class Compare>
kit::column<T> two_runs(distribution d, std::size_t middle, std::size_t n, Compare comp) {
  return kit::make_runs<T>(d, {0, middle, n}, comp).all;
}

template <class T, class Compare>
kit::findings merge_and_examine(const kit::column<T>& input, std::size_t middle, Compare comp,
                                kit::promise promised = kit::promise::stability) {
  const std::size_t n = input.size();
  const kit::buffer<T> data(input, n % 5);
  const kit::buffer<unsigned char> scratch(merger<T, Compare>::scratch_bytes(n));
  merger<T, Compare>::run(nullptr, key_array<T>{data.data()}, middle, n, comp, scratch.data());
  kit::findings f = kit::examine(input, data.read(), comp, promised);
  f.zones_intact = data.intact() && scratch.intact();
  return f;
}

template <class T>
class inplace_merge_of : public kit::gpu_test {};
using element_types =
    ::testing::Types<std::uint8_t, std::uint32_t, std::uint64_t, kit::record<8>,
                     kit::record<32, 16>, kit::record<64>, kit::record<100, 1>, kit::record<128>,
                     kit::record<135, 1>, kit::record<200>, kit::record<4096>>;
TYPED_TEST_SUITE(inplace_merge_of, element_types);

TYPED_TEST(inplace_merge_of, sizes_middles_and_distributions) {
  for (std::size_t n : sizes<TypeParam>()) {
    for (std::size_t middle : middles(n)) {
      for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal,
                     distribution::sorted, distribution::reverse}) {
        if (n > 20000 && d != distribution::uniform && middle != n / 2) continue;
        const auto input = two_runs<TypeParam>(d, middle, n, kit::reference_less{});
        const auto f = merge_and_examine(input, middle, kit::reference_less{});
        ASSERT_TRUE(f.ok()) << d << ", n = " << n << ", middle = " << middle << ": " << f;
      }
    }
  }
}

TYPED_TEST(inplace_merge_of, scratch_and_launches_are_bounded) {
  using tested = merger<TypeParam, kit::reference_less>;
  EXPECT_EQ(tested::scratch_bytes(0), 0u);
  EXPECT_EQ(tested::scratch_bytes(1), 0u);
  for (std::uint64_t n = 1; n < std::uint64_t{1} << 48; n += n / 3 + 1) {
    const double root = std::sqrt(static_cast<double>(n));
    EXPECT_LE(static_cast<double>(tested::scratch_bytes(n)), 32 * root + 264) << n;
    EXPECT_LE(tested::launches(n), 1.5 * std::log2(static_cast<double>(n)) + 9) << n;
  }
}

template <class T>
class inplace_merge_liars : public kit::gpu_test {};
using inconsistent_types = ::testing::Types<std::uint32_t, kit::record<128>, kit::record<200>>;
TYPED_TEST_SUITE(inplace_merge_liars, inconsistent_types);

TYPED_TEST(inplace_merge_liars, keep_a_permutation) {
  const kit::shared_counter counter;
  for (auto behavior : kit::every_inconsistent_comparator) {
    for (std::size_t n : {2, 1000, 4097, 50021, 300007}) {
      if (kit::small_sizes_only() && n > 5000) continue;
      const auto input = kit::generate<TypeParam>(distribution::uniform, n, kit::seed());
      const opaque inconsistent(behavior, kit::seed(), counter.get());
      for (std::size_t middle : {n / 2, n / 7, std::size_t{1}}) {
        const auto f = merge_and_examine(input, middle, inconsistent, kit::promise::permutation);
        ASSERT_TRUE(f.ok()) << kit::name_of(behavior) << ", n = " << n << ": " << f;
      }
    }
  }
}

class inplace_merge_test : public kit::gpu_test {};

TEST_F(inplace_merge_test, takes_every_distribution) {
  const std::size_t n = kit::small_sizes_only() ? 5003 : 60013;
  for (auto d : kit::every_distribution) {
    for (std::size_t middle : {n / 2, n / 5}) {
      const auto numbers = two_runs<std::uint32_t>(d, middle, n, kit::reference_less{});
      auto f = merge_and_examine(numbers, middle, kit::reference_less{});
      ASSERT_TRUE(f.ok()) << d << ", u32: " << f;
      const auto records = two_runs<kit::record<32, 16>>(d, middle, n, kit::reference_less{});
      f = merge_and_examine(records, middle, kit::reference_less{});
      ASSERT_TRUE(f.ok()) << d << ", records: " << f;
    }
  }
  const auto floats = two_runs<float>(distribution::special, n / 3, n, kit::reference_less{});
  const auto f = merge_and_examine(floats, n / 3, kit::reference_less{});
  ASSERT_TRUE(f.ok()) << "floats: " << f;
}

TEST_F(inplace_merge_test, takes_any_order) {
  for (auto behavior : {kit::behavior::honest, kit::behavior::descending, kit::behavior::coarse}) {
    const std::size_t n = 60001, middle = 20011;
    const auto input =
        two_runs<kit::record<32, 16>>(distribution::gaussian, middle, n, opaque(behavior));
    const auto f = merge_and_examine(input, middle, opaque(behavior));
    ASSERT_TRUE(f.ok()) << kit::name_of(behavior) << ": " << f;
  }
}

TEST_F(inplace_merge_test, compares_only_what_is_in_the_range) {
  using record = kit::record<16>;
  const kit::shared_counter foreign;
  const opaque inspecting(kit::behavior::inspecting, kit::seed(), foreign.get());
  for (std::size_t n : {3, 1000, 4097, 50021}) {
    const auto input = two_runs<record>(distribution::uniform, n / 3, n, kit::reference_less{});
    const auto f = merge_and_examine(input, n / 3, inspecting);
    ASSERT_TRUE(f.ok()) << "n = " << n << ": " << f;
  }
  EXPECT_EQ(*foreign.get(), 0u);
}

// A segment of elements this large is several tiles once there are enough of them.
TEST_F(inplace_merge_test, lets_a_block_merge_several_tiles) {
  using record = kit::record<128>;
  if (kit::small_sizes_only()) GTEST_SKIP() << "only large sizes";
  for (std::size_t n : {300007, 600011, 1100009}) {
    const std::size_t middle = n / 3;
    const auto input =
        two_runs<record>(distribution::few_distinct, middle, n, kit::reference_less{});
    const auto f = merge_and_examine(input, middle, kit::reference_less{});
    ASSERT_TRUE(f.ok()) << "n = " << n << ": " << f;
  }
}

TEST_F(inplace_merge_test, takes_millions) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "only large sizes";
  const std::size_t n = std::size_t{1} << 24;
  for (std::size_t middle : {n / 2 + 1, n / 100}) {
    const auto input =
        two_runs<kit::record<8>>(distribution::few_distinct, middle, n, kit::reference_less{});
    const auto f = merge_and_examine(input, middle, kit::reference_less{});
    ASSERT_TRUE(f.ok()) << "middle = " << middle << ": " << f;
  }
}

TEST_F(inplace_merge_test, moves_values_with_their_keys) {
  using array = key_value_array<std::uint32_t, std::uint64_t>;
  using tested = inplace_merge<array, by_key<kit::reference_less>>;
  for (std::size_t n : sizes<std::uint64_t>()) {
    const std::size_t middle = n / 3;
    const auto input =
        two_runs<std::uint32_t>(distribution::few_distinct, middle, n, kit::reference_less{});
    const kit::buffer<std::uint32_t> keys(input, 1);
    const kit::buffer<std::uint64_t> values(kit::places_of<std::uint64_t>(n), 1);
    const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
    tested::run(nullptr, {keys.data(), values.data()}, middle, n, {}, scratch.data());
    ASSERT_TRUE(kit::moved_with_places(input, keys.read(), values.read(), kit::reference_less{},
                                       kit::promise::stability));
    ASSERT_TRUE(keys.intact() && values.intact() && scratch.intact());
  }
}

struct first_less {
  template <class Tuple>
  GPUSORT_DEVICE bool operator()(const Tuple& a, const Tuple& b) const {
    return cuda::std::get<0>(a) < cuda::std::get<0>(b);
  }
};

/// Merges three columns: keys, what is carried along, and places.
template <class Array, class Compare, class Value>
void merge_three_columns() {
  using tested = inplace_merge<Array, Compare>;
  for (std::size_t n : {0, 1, 2, 1000, 4097, 60013}) {
    const std::size_t middle = n / 3;
    const auto input =
        two_runs<std::uint32_t>(distribution::few_distinct, middle, n, kit::reference_less{});
    const auto carried = kit::generate<Value>(distribution::uniform, n, kit::seed());
    const kit::buffer<std::uint32_t> keys(input, 1);
    const kit::buffer<Value> values(carried, 3);
    const kit::buffer<std::uint64_t> places(kit::places_of<std::uint64_t>(n), 1);
    const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
    tested::run(nullptr, {keys.data(), {values.data(), places.data()}}, middle, n, {},
                scratch.data());
    const auto found = places.read();
    ASSERT_TRUE(kit::moved_with_places(input, keys.read(), found, kit::reference_less{},
                                       kit::promise::stability));
    const auto moved = values.read();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(kit::same_bytes(moved[i], carried[found[i]])) << i << " of " << n;
    }
    ASSERT_TRUE(keys.intact() && values.intact() && places.intact() && scratch.intact());
  }
}

/// Merges a record by field whose elements have the size of Value and more.
template <class Value>
void merge_by_field() {
  using tuple = cuda::std::tuple<std::uint32_t, Value, std::uint64_t>;
  merge_three_columns<zip_array<tuple, gpusort::detail::as_is, std::uint32_t, Value, std::uint64_t>,
                      by_stored_value<first_less>, Value>();
}

TEST_F(inplace_merge_test, merges_records_by_field) {
  merge_by_field<std::uint8_t>();
  merge_by_field<kit::record<200>>();
}

TEST_F(inplace_merge_test, merges_columns) {
  merge_three_columns<columns_array<std::uint32_t, std::uint8_t, std::uint64_t>,
                      kit::reference_less, std::uint8_t>();
}

TEST_F(inplace_merge_test, is_captured_and_repeated) {
  using tested = merger<std::uint32_t, kit::reference_less>;
  const std::size_t n = 70001, middle = 30011;
  const auto input =
      two_runs<std::uint32_t>(distribution::uniform, middle, n, kit::reference_less{});
  kit::buffer<std::uint32_t> data(input, 0);
  const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
  const kit::stream s;
  const kit::graph g(s, [&] {
    tested::run(s, key_array<std::uint32_t>{data.data()}, middle, n, {}, scratch.data());
  });
  for (int repetition = 0; repetition < 2; ++repetition) {
    data.write(input);
    g.launch(s);
    const auto f = kit::examine(input, data.read(), kit::reference_less{}, kit::promise::stability);
    ASSERT_TRUE(f.ok()) << f;
  }
}

}  // namespace

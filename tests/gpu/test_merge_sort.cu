// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merge sort by its own interface; as a route of gpusort::stable_sort it is tested with all others.
#include <algorithm>
#include <gpusort/detail/algorithm/merge_sort.hpp>
#include <gpusort/detail/support/element_order.hpp>

#include "kit/check.hpp"
#include "kit/device.hpp"
#include "kit/generate.hpp"
#include "kit/graph.hpp"
#include "kit/orders.hpp"
#include "kit/sizes.hpp"

namespace {

using gpusort::detail::by_key;
using gpusort::detail::index_sequence_array;
using gpusort::detail::key_array;
using gpusort::detail::key_value_array;
using gpusort::detail::merge_sort;
using kit::distribution;
using kit::opaque;

template <class T, class Compare>
using sorter = merge_sort<key_array<T>, Compare>;

/// Sizes around its tile, and enough tiles for two levels of splits where T's tile is small.
template <class T>
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all = kit::edge_sizes();
  for (std::size_t n : kit::medium_sizes()) all.push_back(n);
  for (std::size_t n : kit::large_sizes()) {
    if (n * sizeof(T) <= std::size_t{1} << 26) all.push_back(n);
  }
  return all;
}

template <class T, class Compare>
kit::findings sort_and_examine(const kit::column<T>& input, Compare comp, bool in_place,
                               kit::promise promised = kit::promise::stability) {
  const std::size_t n = input.size();
  const kit::buffer<T> in(input, n % 3);
  const kit::buffer<T> separate(in_place ? 0 : n, n % 5);
  const kit::buffer<T>& out = in_place ? in : separate;
  const kit::buffer<unsigned char> scratch(sorter<T, Compare>::scratch_bytes(n));
  sorter<T, Compare>::run(nullptr, key_array<T>{in.data()}, key_array<T>{out.data()}, n, comp,
                          scratch.data());
  kit::findings f = kit::examine(input, out.read(), comp, promised);
  f.zones_intact = in.intact() && out.intact() && scratch.intact();
  if (!in_place && !kit::same_multiset(input, in.read())) f.elements_kept = false;
  return f;
}

template <class T, class Compare>
kit::findings sort_and_examine(distribution d, std::size_t n, Compare comp, bool in_place,
                               kit::promise promised = kit::promise::stability) {
  return sort_and_examine(kit::generate<T>(d, n, kit::seed()), comp, in_place, promised);
}

/// Ascending runs that begin anywhere, the last of one element; equal keys are in several of them.
template <class T>
kit::column<T> runs_of(int count, std::size_t n) {
  std::vector<std::size_t> begins{0};
  for (int i = 2; i < count; ++i) begins.push_back(1 + kit::random_at(kit::seed(), i) % (n - 2));
  if (count > 1) begins.push_back(n - 1);
  std::sort(begins.begin(), begins.end());
  begins.push_back(n);
  kit::column<T> values(n);
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
    const std::size_t length = begins[r + 1] - begins[r];
    for (std::size_t i = 0; i < length; ++i) {
      const bool is_last_element = begins[r] + i == n - 1 && count > 1;
      const std::uint64_t rank = is_last_element ? 0 : (1 + i * 1000 / length) << 54;
      values[begins[r] + i] = kit::make_value<T>(rank, begins[r] + i);
    }
  }
  return values;
}

template <class T>
class merge_sort_of : public kit::gpu_test {};
using element_types = ::testing::Types<std::uint8_t, std::uint32_t, std::uint64_t, kit::record<8>>;
TYPED_TEST_SUITE(merge_sort_of, element_types);

TYPED_TEST(merge_sort_of, sizes_and_distributions) {
  for (std::size_t n : sizes<TypeParam>()) {
    for (auto d : {distribution::uniform, distribution::few_distinct, distribution::all_equal,
                   distribution::sorted, distribution::reverse, distribution::staggered}) {
      if (n > 300000 && d != distribution::uniform && d != distribution::few_distinct) continue;
      const auto f = sort_and_examine<TypeParam>(d, n, kit::reference_less{}, n % 2 == 0);
      ASSERT_TRUE(f.ok()) << d << ", n = " << n << ": " << f;
    }
  }
}

TYPED_TEST(merge_sort_of, scratch_is_little_more_than_the_elements) {
  using tested = sorter<TypeParam, kit::reference_less>;
  EXPECT_EQ(tested::scratch_bytes(0), 0u);
  EXPECT_EQ(tested::scratch_bytes(100), 0u);
  for (std::uint64_t n : {std::uint64_t{100000}, std::uint64_t{1} << 33}) {
    EXPECT_LE(tested::scratch_bytes(n), n * sizeof(TypeParam) * 105 / 100);
  }
}

// Where the tiles become small, and large again.
TYPED_TEST(merge_sort_of, sizes_where_its_tiles_change) {
  using numbers = gpusort::detail::tuning::merge_sort<sizeof(TypeParam)>;
  const std::size_t tile = numbers::threads_per_block * numbers::items_per_thread;
  const std::size_t many = tile * gpusort::detail::current_device_properties().multiprocessors;
  for (std::size_t edge : {tile, many - tile, many}) {
    for (std::size_t n : {edge - 1, edge, edge + 1}) {
      const auto f = sort_and_examine<TypeParam>(distribution::few_distinct, n,
                                                 kit::reference_less{}, n % 2 == 0);
      ASSERT_TRUE(f.ok()) << "n = " << n << ": " << f;
    }
  }
}

// Up to 16 ways of the last pass at this size, and more.
TYPED_TEST(merge_sort_of, input_of_few_runs) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "runs are looked for from 2^22 elements on";
  const std::size_t n = (std::size_t{1} << 22) + 4711;
  for (int count : {1, 2, 7, 16, 17, 64}) {
    for (bool in_place : {false, true}) {
      if (count > 2 && in_place != (count % 2 == 0)) continue;
      const auto f =
          sort_and_examine(runs_of<TypeParam>(count, n), kit::reference_less{}, in_place);
      ASSERT_TRUE(f.ok()) << count << " runs: " << f;
    }
  }
}

class merge_sort_test : public kit::gpu_test {};

TEST_F(merge_sort_test, few_runs_are_merged_instead_of_sorted) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "runs are looked for from 2^22 elements on";
  const std::size_t n = (std::size_t{1} << 22) + 4711;
  for (int count : {1, 2, 4, 16}) {
    const kit::shared_counter calls;
    const opaque counting(kit::behavior::counting, 0, calls.get());
    const auto f = sort_and_examine(runs_of<std::uint32_t>(count, n), counting, true);
    ASSERT_TRUE(f.ok()) << count << " runs: " << f;
    const double each = static_cast<double>(*calls.get()) / static_cast<double>(n);
    EXPECT_LE(each, count == 1 ? 2 : 12) << count << " runs; one call is the test's own";
  }
}

/// So the runs are found, and then merged at random.
struct honest_about_neighbours {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    if (kit::index_of(a) == kit::index_of(b) + 1) return kit::key_of(a) < kit::key_of(b);
    return kit::random_at(kit::hash_of(a), kit::hash_of(b)) & 1;
  }
};

TEST_F(merge_sort_test, keeps_a_permutation_where_runs_are_found_and_merged_by_lies) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "runs are looked for from 2^22 elements on";
  for (int count : {2, 5, 16}) {
    for (bool in_place : {false, true}) {
      const auto input = runs_of<kit::record<8>>(count, (std::size_t{1} << 22) + 4711);
      const auto f =
          sort_and_examine(input, honest_about_neighbours{}, in_place, kit::promise::permutation);
      ASSERT_TRUE(f.ok()) << count << " runs: " << f;
    }
  }
}

TEST_F(merge_sort_test, keeps_a_permutation_when_lied_to) {
  const kit::shared_counter counter;
  for (auto behavior : kit::every_inconsistent_comparator) {
    for (std::size_t n : {std::size_t{2}, std::size_t{1000}, std::size_t{4097}, std::size_t{50021},
                          kit::small_sizes_only() ? std::size_t{3} : std::size_t{1100009}}) {
      const opaque inconsistent(behavior, kit::seed(), counter.get());
      const auto f = sort_and_examine<std::uint32_t>(distribution::uniform, n, inconsistent,
                                                     n % 2 == 0, kit::promise::permutation);
      ASSERT_TRUE(f.ok()) << kit::name_of(behavior) << ", n = " << n << ": " << f;
    }
  }
}

TEST_F(merge_sort_test, takes_any_order) {
  for (auto behavior : {kit::behavior::honest, kit::behavior::descending, kit::behavior::coarse}) {
    const auto f =
        sort_and_examine<std::uint32_t>(distribution::gaussian, 60001, opaque(behavior), true);
    ASSERT_TRUE(f.ok()) << kit::name_of(behavior) << ": " << f;
  }
}

TEST_F(merge_sort_test, moves_values_with_their_keys) {
  using array = key_value_array<std::uint32_t, std::uint64_t>;
  using tested = merge_sort<array, by_key<kit::reference_less>>;
  for (std::size_t n : sizes<std::uint64_t>()) {
    const auto input = kit::generate<std::uint32_t>(distribution::few_distinct, n, kit::seed());
    kit::column<std::uint64_t> places(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = i;
    const kit::buffer<std::uint32_t> keys(input, 1);
    const kit::buffer<std::uint64_t> values(places, 1);
    const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
    const array both{keys.data(), values.data()};
    tested::run(nullptr, both, both, n, {}, scratch.data());
    const auto sorted = keys.read();
    const auto moved = values.read();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LT(moved[i], n);
      ASSERT_EQ(sorted[i], input[moved[i]]);
      if (i == 0) continue;
      ASSERT_LE(sorted[i - 1], sorted[i]);
      if (sorted[i - 1] == sorted[i]) ASSERT_LT(moved[i - 1], moved[i]);
    }
    ASSERT_TRUE(keys.intact() && values.intact() && scratch.intact());
  }
}

TEST_F(merge_sort_test, reads_an_input_of_another_kind) {
  using array = key_array<std::uint32_t>;
  using by_pointee = gpusort::detail::by_pointee<std::uint32_t, kit::reference_less>;
  using tested = merge_sort<array, by_pointee>;
  const std::size_t large = (std::size_t{1} << 22) + 4711;
  std::vector<kit::column<std::uint32_t>> inputs{
      kit::generate<std::uint32_t>(distribution::few_distinct, 30011, kit::seed())};
  if (!kit::small_sizes_only()) {
    for (int count : {1, 5}) inputs.push_back(runs_of<std::uint32_t>(count, large));
  }
  for (const auto& input : inputs) {
    const std::size_t n = input.size();
    const kit::buffer<std::uint32_t> keys(input, 0);
    const kit::buffer<std::uint32_t> indices(n);
    const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
    tested::run(nullptr, index_sequence_array<std::uint32_t>{}, array{indices.data()}, n,
                by_pointee{keys.data(), {}}, scratch.data());
    const auto order = indices.read();
    for (std::size_t i = 1; i < n; ++i) {
      ASSERT_LE(input[order[i - 1]], input[order[i]]);
      if (input[order[i - 1]] == input[order[i]]) ASSERT_LT(order[i - 1], order[i]);
    }
  }
}

TEST_F(merge_sort_test, is_captured_and_repeated) {
  using tested = sorter<std::uint32_t, kit::reference_less>;
  const std::size_t n = kit::small_sizes_only() ? 70001 : (std::size_t{1} << 22) + 4711;
  kit::buffer<std::uint32_t> data(n);
  const kit::buffer<unsigned char> scratch(tested::scratch_bytes(n));
  const kit::stream s;
  const kit::graph g(s, [&] {
    const key_array<std::uint32_t> array{data.data()};
    tested::run(s, array, array, n, {}, scratch.data());
  });
  const auto random = kit::generate<std::uint32_t>(distribution::uniform, n, kit::seed());
  for (const auto& input :
       {random, runs_of<std::uint32_t>(5, n), runs_of<std::uint32_t>(1, n), random}) {
    data.write(input);
    g.launch(s);
    const auto f = kit::examine(input, data.read(), kit::reference_less{}, kit::promise::stability);
    ASSERT_TRUE(f.ok()) << f;
  }
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merge sort by its own interface; as a route of gpusort::stable_sort it is tested with all others.
#include <algorithm>
#include <gpusort/detail/algorithm/merge_sort.hpp>

#include "../kit/algorithm_properties.hpp"

namespace {

using gpusort::detail::merge_sort;
using kit::distribution;
using kit::opaque;

/// Merge sort, or the one of fewer kernels.
template <template <class, class> class Algorithm>
struct by_merges {
  static constexpr kit::promise promised = kit::promise::stability;
  static constexpr bool only_in_place = false;
  static constexpr std::size_t several_tiles = 60001;
  static constexpr std::size_t fixed_scratch = 0;

  /// Returns sizes around its tile, where its tiles become small and large again, and enough of
  /// them for two levels of splits where T's tile is small.
  template <class T>
  static std::vector<std::size_t> sizes() {
    using tuning = gpusort::detail::tuning::merge_sort<sizeof(T)>;
    const std::size_t tile = tuning::threads_per_block * tuning::items_per_thread;
    const std::size_t many = tile * gpusort::detail::current_device_properties().multiprocessors;
    std::vector<std::size_t> all = kit::edge_sizes();
    for (std::size_t edge : {tile, many - tile, many}) {
      for (std::size_t n : {edge - 1, edge, edge + 1}) all.push_back(n);
    }
    for (std::size_t n : kit::medium_sizes()) all.push_back(n);
    for (std::size_t n : kit::large_sizes()) {
      if (n * sizeof(T) <= std::size_t{1} << 26) all.push_back(n);
    }
    return all;
  }
  static std::vector<std::size_t> sizes_for_liars() {
    if (kit::small_sizes_only()) return {2, 1000, 4097, 50021};
    return {2, 1000, 4097, 50021, 1100009};
  }

  template <class Array, class Compare>
  static std::size_t scratch_bytes(std::uint64_t n) {
    return Algorithm<Array, Compare>::scratch_bytes(n);
  }
  template <class Input, class Array, class Compare>
  static void run(cudaStream_t stream, Input in, Array out, std::size_t n, Compare comp,
                  void* scratch) {
    Algorithm<Array, Compare>::run(stream, in, out, n, comp, scratch);
  }
};

using by_merge_sort = by_merges<merge_sort>;
using by_lean_merge_sort = by_merges<gpusort::detail::lean_merge_sort>;

template <class T>
using sorted = kit::sorted_by<by_merge_sort, T, kit::reference_less>;
using elements = ::testing::Types<sorted<std::uint8_t>, sorted<std::uint32_t>,
                                  sorted<std::uint64_t>, sorted<kit::record<8>>>;
using lean_elements =
    ::testing::Types<kit::sorted_by<by_lean_merge_sort, std::uint32_t, kit::reference_less>,
                     kit::sorted_by<by_lean_merge_sort, kit::record<32, 16>, kit::reference_less>>;
using numbers = sorted<std::uint32_t>;
using with_values = kit::carried_by<by_merge_sort, std::uint64_t>;

}  // namespace

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(merge_sort, algorithm_on_elements, elements);
INSTANTIATE_TYPED_TEST_SUITE_P(lean_merge_sort, algorithm_on_elements, lean_elements);
INSTANTIATE_TYPED_TEST_SUITE_P(merge_sort, algorithm_under_orders, numbers);
INSTANTIATE_TYPED_TEST_SUITE_P(merge_sort, algorithm_with_values, with_values);
INSTANTIATE_TYPED_TEST_SUITE_P(merge_sort, algorithm_in_graphs, numbers);
}  // namespace kit

namespace {

/// Makes ascending runs that begin anywhere, the last of one element; equal keys are in several of
/// them.
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

constexpr std::size_t looked_into_for_runs = (std::size_t{1} << 22) + 4711;

template <class T>
class merge_sort_of : public kit::gpu_test {};
using element_types = ::testing::Types<std::uint8_t, std::uint32_t, std::uint64_t, kit::record<8>>;
TYPED_TEST_SUITE(merge_sort_of, element_types);

TYPED_TEST(merge_sort_of, takes_no_scratch_for_one_tile) {
  using tested = merge_sort<gpusort::detail::key_array<TypeParam>, kit::reference_less>;
  EXPECT_EQ(tested::scratch_bytes(0), 0u);
  EXPECT_EQ(tested::scratch_bytes(100), 0u);
}

// Up to 16 ways of the last pass at this size, and more.
TYPED_TEST(merge_sort_of, input_of_few_runs) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "runs are looked for from 2^22 elements on";
  for (int count : {1, 2, 7, 16, 17, 64}) {
    for (bool in_place : {false, true}) {
      if (count > 2 && in_place != (count % 2 == 0)) continue;
      const auto input = runs_of<TypeParam>(count, looked_into_for_runs);
      const auto f = kit::sort_and_examine<by_merge_sort>(input, kit::reference_less{}, in_place);
      ASSERT_TRUE(f.ok()) << count << " runs: " << f;
    }
  }
}

class merge_sort_test : public kit::gpu_test {};

TEST_F(merge_sort_test, few_runs_are_merged_instead_of_sorted) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "runs are looked for from 2^22 elements on";
  const std::size_t n = looked_into_for_runs;
  for (int count : {1, 2, 4, 16}) {
    const kit::shared_counter calls;
    const opaque counting(kit::behavior::counting, 0, calls.get());
    const auto input = runs_of<std::uint32_t>(count, n);
    const auto f = kit::sort_and_examine<by_merge_sort>(input, counting, true);
    ASSERT_TRUE(f.ok()) << count << " runs: " << f;
    const double each = static_cast<double>(*calls.get()) / static_cast<double>(n);
    EXPECT_LE(each, count == 1 ? 2 : 12) << count << " runs; one call is the test's own";
  }
}

/// Answers neighbours honestly, so the runs are found, and then merged at random.
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
      const auto input = runs_of<kit::record<8>>(count, looked_into_for_runs);
      const auto f = kit::sort_and_examine<by_merge_sort>(input, honest_about_neighbours{},
                                                          in_place, kit::promise::permutation);
      ASSERT_TRUE(f.ok()) << count << " runs: " << f;
    }
  }
}

TEST_F(merge_sort_test, orders_indices_that_it_makes_itself) {
  kit::expect_indices_ordered<by_merge_sort>(
      kit::generate<std::uint32_t>(distribution::few_distinct, 30011, kit::seed()));
  if (kit::small_sizes_only()) return;
  for (int count : {1, 5}) {
    kit::expect_indices_ordered<by_merge_sort>(runs_of<std::uint32_t>(count, looked_into_for_runs));
  }
}

TEST_F(merge_sort_test, is_repeated_with_runs_and_without) {
  const std::size_t n = kit::small_sizes_only() ? 70001 : looked_into_for_runs;
  const auto random = kit::generate<std::uint32_t>(distribution::uniform, n, kit::seed());
  kit::expect_replayed<by_merge_sort, kit::reference_less>(
      {random, runs_of<std::uint32_t>(5, n), runs_of<std::uint32_t>(1, n), random});
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// merge, merge_by_key and inplace_merge: of every type and order, whatever the sizes, stable; and
// with a comparator that lies, or inputs that are not sorted, a permutation.
#include <gpusort/merge.hpp>
#include <numeric>
#include <vector>

#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/runs.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

/// Returns lengths of the first range, for some of both.
std::vector<std::size_t> cuts_of(std::size_t n) {
  return {0, n < 1 ? n : 1, n / 3, n / 2, n - n / 100, n};
}

std::vector<std::size_t> merge_sizes() {
  if (small_sizes_only()) return {0, 1, 2, 33, 1025, 5000};
  return {0, 1, 2, 3, 31, 33, 257, 1024, 2047, 2049, 4097, 20011, 100003};
}

template <class T>
std::vector<std::size_t> merge_sizes_of() {
  std::vector<std::size_t> sizes;
  for (std::size_t n : merge_sizes()) {
    if (n * sizeof(T) <= (std::size_t{1} << 20)) sizes.push_back(n);
  }
  return sizes;
}

/// Merges two runs that are at different places, badly aligned, and checks everything.
template <class T, class Policy, class Compare>
::testing::AssertionResult merges(const Policy& policy, const run_set<T>& runs, Compare comp,
                                  const merged<T>& expected) {
  const std::size_t n = runs.all.size();
  const auto a = runs.run(0), b = runs.run(1);
  const buffer<T> from_a(a, n % 4), from_b(b, n % 3), out(n, n % 5);
  T* const end = gpusort::merge(policy, from_a.begin(), from_a.end(), from_b.begin(), from_b.end(),
                                out.begin(), comp);
  if (end != out.end()) return ::testing::AssertionFailure() << "another end";
  if (!same_elements(from_a.read(), a) || !same_elements(from_b.read(), b)) {
    return ::testing::AssertionFailure() << "an input changed";
  }
  return expected.is(out) << ", of which " << a.size() << " in the first";
}

template <class Policy, class T, class Compare>
::testing::AssertionResult merges_in_place(const Policy& policy, const run_set<T>& runs,
                                           Compare comp, const merged<T>& expected) {
  const buffer<T> range(runs.all, runs.all.size() % 4);
  gpusort::inplace_merge(policy, range.begin(), range.begin() + runs.offsets[1], range.end(), comp);
  return expected.is(range) << ", of which " << runs.offsets[1] << " in the first, in place";
}

template <class Subject>
class merging : public gpu_test {};

using subjects = ::testing::Types<
    merged_as<std::uint8_t, gpusort::less>, merged_as<std::uint16_t, gpusort::greater>,
    merged_as<std::uint32_t, gpusort::less>, merged_as<double, gpusort::less>,
    merged_as<std::uint64_t, opaque>, merged_as<record<16>, opaque>, merged_as<record<32>, opaque>,
    merged_as<record<64>, opaque>, merged_as<record<100>, opaque>, merged_as<record<256>, opaque>>;
TYPED_TEST_SUITE(merging, subjects);

TYPED_TEST(merging, is_stable) {
  using T = typename TypeParam::value;
  for (const auto& comp : TypeParam::orders()) {
    const auto order = reference<typename TypeParam::compare>::of(comp);
    for (std::size_t n : merge_sizes_of<T>()) {
      for (std::size_t cut : cuts_of(n)) {
        const auto d = every_distribution[(n + cut) % 16];
        const auto runs = make_runs<T>(d, {0, cut, n}, order);
        ASSERT_TRUE(merges(gpusort::par_gpu, runs, comp, merged<T>::stably(runs, order))) << d;
      }
    }
  }
}

TYPED_TEST(merging, of_every_distribution) {
  using T = typename TypeParam::value;
  const auto comp = TypeParam::orders().back();
  const auto order = reference<typename TypeParam::compare>::of(comp);
  for (auto d : every_distribution) {
    const auto runs = make_runs<T>(d, {0, 5003, 9001}, order);
    ASSERT_TRUE(merges(gpusort::par_gpu, runs, comp, merged<T>::stably(runs, order))) << d;
  }
}

/// Number of elements that are merged in more than 1280 tiles, whose cuts are found in two steps.
template <class T>
constexpr std::size_t many = sizeof(T) <= 8 ? 6300011 : 2900003;

TYPED_TEST(merging, of_many_tiles) {
  using T = typename TypeParam::value;
  if (small_sizes_only()) GTEST_SKIP() << "many tiles are many elements";
  if (sizeof(T) > 64) GTEST_SKIP() << "as many would be hundreds of megabytes";
  const std::size_t n = many<T>;
  const auto comp = TypeParam::orders().back();
  const auto order = reference<typename TypeParam::compare>::of(comp);
  for (auto d : {distribution::uniform, distribution::few_distinct, distribution::sorted}) {
    for (std::size_t cut : {n / 2, n / 100, n - 1}) {
      const auto runs = make_runs<T>(d, {0, cut, n}, order);
      ASSERT_TRUE(merges(gpusort::par_gpu, runs, comp, merged<T>::stably(runs, order))) << d;
    }
  }
}

TYPED_TEST(merging, in_place_is_stable) {
  using T = typename TypeParam::value;
  const auto comp = TypeParam::orders().back();
  const auto order = reference<typename TypeParam::compare>::of(comp);
  for (std::size_t n : merge_sizes_of<T>()) {
    for (std::size_t cut : cuts_of(n)) {
      const auto runs = make_runs<T>(every_distribution[(n + cut) % 16], {0, cut, n}, order);
      const auto expected = merged<T>::stably(runs, order);
      ASSERT_TRUE(merges_in_place(gpusort::par_gpu, runs, comp, expected));
      ASSERT_TRUE(merges_in_place(gpusort::par_gpu.with(gpusort::in_place), runs, comp, expected));
    }
  }
}

TYPED_TEST(merging, what_is_not_sorted_is_a_permutation) {
  using T = typename TypeParam::value;
  const auto comp = TypeParam::orders().front();
  for (std::size_t n : {33, 5000, 30011}) {
    const auto runs = make_unsorted_runs<T>(distribution::uniform, {0, n / 3, n});
    ASSERT_TRUE(merges(gpusort::par_gpu, runs, comp, merged<T>::somehow(runs)));
    ASSERT_TRUE(merges_in_place(gpusort::par_gpu, runs, comp, merged<T>::somehow(runs)));
  }
}

/// Tests inconsistent comparators, which are opaque.
template <class Subject>
class merging_under_inconsistent_comparators : public gpu_test {};

using inconsistent_comparators =
    ::testing::Types<merged_as<std::uint64_t, opaque>, merged_as<record<16>, opaque>,
                     merged_as<record<32>, opaque>, merged_as<record<64>, opaque>,
                     merged_as<record<100>, opaque>, merged_as<record<256>, opaque>>;
TYPED_TEST_SUITE(merging_under_inconsistent_comparators, inconsistent_comparators);

TYPED_TEST(merging_under_inconsistent_comparators, is_a_permutation) {
  using T = typename TypeParam::value;
  const shared_counter counter;
  for (std::size_t n : {33, 5000, 30011}) {
    const auto runs = make_runs<T>(distribution::uniform, {0, n / 3, n}, opaque());
    const auto expected = merged<T>::somehow(runs);
    for (auto m : every_inconsistent_comparator) {
      const opaque comp(m, seed(), counter.get());
      ASSERT_TRUE(merges(gpusort::par_gpu, runs, comp, expected)) << name_of(m);
      ASSERT_TRUE(merges_in_place(gpusort::par_gpu, runs, comp, expected)) << name_of(m);
    }
  }
}

TYPED_TEST(merging_under_inconsistent_comparators, is_a_permutation_of_many_tiles) {
  using T = typename TypeParam::value;
  if (small_sizes_only()) GTEST_SKIP() << "many tiles are many elements";
  if (sizeof(T) > 64) GTEST_SKIP() << "as many would be hundreds of megabytes";
  const shared_counter counter;
  const std::size_t n = many<T>;
  const auto runs = make_runs<T>(distribution::uniform, {0, n / 3, n}, opaque());
  const auto expected = merged<T>::somehow(runs);
  for (auto m : every_inconsistent_comparator) {
    const opaque comp(m, seed(), counter.get());
    ASSERT_TRUE(merges(gpusort::par_gpu, runs, comp, expected)) << name_of(m);
  }
}

TYPED_TEST(merging, without_memory_throws_or_goes_in_place) {
  using T = typename TypeParam::value;
  const auto comp = TypeParam::orders().front();
  const auto order = reference<typename TypeParam::compare>::of(comp);
  const auto runs = make_runs<T>(distribution::few_distinct, {0, 3000, 5003}, order);
  const auto expected = merged<T>::stably(runs, order);
  counting_allocator allocator;
  ASSERT_TRUE(merges(gpusort::par_gpu(allocator), runs, comp, expected));
  ASSERT_TRUE(merges_in_place(gpusort::par_gpu(allocator), runs, comp, expected));
  allocator.fail(0);
  EXPECT_THROW(merges(gpusort::par_gpu(allocator), runs, comp, expected), gpusort::out_of_memory);
  allocator.fail(0, 1);  // a copy that is aligned, or the buffer
  ASSERT_TRUE(merges_in_place(gpusort::par_gpu(allocator), runs, comp, expected));
  EXPECT_TRUE(allocator.clean());
}

// -- by key ---------------------------------------------------------------------------------------

/// Merges by key; values tell where the keys were, so that a value that left its key is seen, and
/// so is one that passed an equal one.
template <class Key, class Value, class Compare, class Order>
void merges_by_key(distribution d, std::size_t cut, std::size_t n, Compare comp, Order order) {
  const auto runs = make_runs<Key>(d, {0, cut, n}, order);
  column<Value> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = make_value<Value>(random_at(1, i), i);
  const buffer<Key> keys(runs.all, n % 4), keys_out(n, n % 3);
  const buffer<Value> from(values, n % 5), values_out(n, n % 2);
  const auto ends = gpusort::merge_by_key(
      gpusort::par_gpu, keys.begin(), keys.begin() + cut, keys.begin() + cut, keys.end(),
      from.begin(), from.begin() + cut, keys_out.begin(), values_out.begin(), comp);
  EXPECT_EQ(ends.first, keys_out.end());
  EXPECT_EQ(ends.second, values_out.end());
  EXPECT_TRUE(keys_out.intact() && values_out.intact());
  const auto places = merged_places(runs.all, order);
  const auto found_keys = keys_out.read();
  const auto found_values = values_out.read();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_TRUE(same_bytes(found_keys[i], runs.all[places[i]])) << i << " of " << n;
    ASSERT_TRUE(same_bytes(found_values[i], values[places[i]])) << i << " of " << n;
  }
}

template <class Key, class Value, class Compare, class Order>
void merges_all_by_key(Compare comp, Order order) {
  for (std::size_t n : merge_sizes_of<Key>()) {
    if (n * sizeof(Value) > (std::size_t{1} << 21)) continue;
    for (std::size_t cut : cuts_of(n)) {
      const auto d = every_distribution[(n + cut) % 16];
      merges_by_key<Key, Value>(d, cut, n, comp, order);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

class merging_by_key : public gpu_test {};

TEST_F(merging_by_key, numbers) {
  merges_all_by_key<std::uint32_t, std::uint32_t>(gpusort::less{}, reference_less{});
}
TEST_F(merging_by_key, descending_floats_with_bytes) {
  merges_all_by_key<float, std::uint8_t>(gpusort::greater{}, reference_greater{});
}
TEST_F(merging_by_key, values_left_where_they_are) {
  merges_all_by_key<std::uint64_t, record<100>>(opaque(behavior::coarse), opaque(behavior::coarse));
}
TEST_F(merging_by_key, keys_left_where_they_are) {
  merges_all_by_key<record<100>, std::uint16_t>(opaque(behavior::coarse), opaque(behavior::coarse));
}

// NaNs and both zeros, as gpusort::less has them.
TEST_F(merging_by_key, awkward_floats) {
  for (std::size_t n : merge_sizes()) {
    merges_by_key<float, std::uint8_t>(distribution::special, n / 3, n, gpusort::greater{},
                                       reference_greater{});
  }
}

TEST_F(merging_by_key, large) {
  if (small_sizes_only()) GTEST_SKIP() << "a size of millions";
  const std::size_t n = (1 << 20) + 7;
  merges_by_key<std::uint32_t, std::uint32_t>(distribution::uniform, n / 3, n, gpusort::less{},
                                              reference_less{});
}

}  // namespace
}  // namespace kit

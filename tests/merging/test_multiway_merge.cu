// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// multiway_merge, multiway_merge_by_key and multiway_select: any number of runs of any lengths, of
// every type and order, stable; and whatever the comparator says, a permutation.
#include <gpusort/merge.hpp>
#include <utility>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/runs.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

std::vector<std::size_t> run_counts() {
  if (small_sizes_only()) return {0, 1, 2, 3, 5, 64, 65};
  return {0, 1, 2, 3, 4, 5, 16, 63, 64, 65, 100, 4096};
}

std::vector<std::size_t> elements_of(std::size_t k) {
  if (k == 0) return {0};
  if (small_sizes_only()) return {1, 3000};
  if (k == 4096) return {5000, 300007};
  return {1, 1000, 30011};
}

/// Merges by offsets and by pairs, and checks everything.
template <class T, class Compare>
::testing::AssertionResult merges(const run_set<T>& runs, Compare comp, const merged<T>& expected) {
  const std::size_t n = runs.all.size();
  const buffer<T> data(runs.all, n % 4), out(n, n % 5), again(n, n % 3);
  if (gpusort::multiway_merge(gpusort::par_gpu, data.begin(), runs.offsets.begin(),
                              runs.offsets.end(), out.begin(), comp) != out.end()) {
    return ::testing::AssertionFailure() << "another end";
  }
  std::vector<std::pair<const T*, const T*>> pairs;
  for (std::size_t i = 0; i < runs.k(); ++i) {
    pairs.emplace_back(data.begin() + runs.offsets[i], data.begin() + runs.offsets[i + 1]);
  }
  gpusort::multiway_merge(gpusort::par_gpu, pairs.begin(), pairs.end(), again.begin(), comp);
  if (!same_elements(data.read(), runs.all)) {
    return ::testing::AssertionFailure() << "a run changed";
  }
  const auto by_offsets = expected.is(out);
  if (!by_offsets) return by_offsets;
  return expected.is(again) << ", by pairs, ";
}

/// Selects all positions at a rank of a stable merge.
template <class T, class Compare, class Order>
void selects(const run_set<T>& runs, Compare comp, Order order) {
  const buffer<T> data(runs.all, runs.all.size() % 4);
  const auto places = merged_places(runs.all, order);
  const std::size_t n = places.size();
  for (std::size_t rank : {std::size_t{0}, n / 7, n / 2, n - n / 100, n}) {
    std::vector<std::size_t> expected(runs.k(), 0), found(runs.k());
    for (std::size_t i = 0; i < rank; ++i) {
      const auto run = std::upper_bound(runs.offsets.begin(), runs.offsets.end(), places[i]);
      ++expected[run - runs.offsets.begin() - 1];
    }
    const auto end = gpusort::multiway_select(gpusort::par_gpu, data.begin(), runs.offsets.begin(),
                                              runs.offsets.end(), rank, found.begin(), comp);
    ASSERT_TRUE(end == found.end());
    ASSERT_EQ(found, expected) << "rank " << rank << " of " << n;
  }
}

template <class Subject>
class multiway : public gpu_test {};

using subjects =
    ::testing::Types<merged_as<std::uint8_t, gpusort::less>,
                     merged_as<std::uint32_t, gpusort::less>, merged_as<float, gpusort::greater>,
                     merged_as<std::uint64_t, opaque>, merged_as<record<16>, opaque>,
                     merged_as<record<64>, opaque>, merged_as<record<256>, opaque>>;
TYPED_TEST_SUITE(multiway, subjects);

class multiway_large : public gpu_test {};

TYPED_TEST(multiway, is_stable) {
  using T = typename TypeParam::value;
  for (const auto& comp : TypeParam::orders()) {
    const auto order = reference<typename TypeParam::compare>::of(comp);
    for (std::size_t k : run_counts()) {
      for (std::size_t n : elements_of(k)) {
        if (n * sizeof(T) > (std::size_t{1} << 22)) continue;
        for (shape s : every_shape) {
          const auto d = every_distribution[(k + n + static_cast<std::size_t>(s)) % 16];
          const auto runs = make_runs<T>(d, offsets_of(s, k, n), order);
          ASSERT_TRUE(merges(runs, comp, merged<T>::stably(runs, order)))
              << k << " runs, " << name_of(s) << ", " << d;
        }
      }
    }
  }
}

TYPED_TEST(multiway, of_every_distribution) {
  using T = typename TypeParam::value;
  const auto comp = TypeParam::orders().back();
  const auto order = reference<typename TypeParam::compare>::of(comp);
  for (auto d : every_distribution) {
    const auto runs = make_runs<T>(d, offsets_of(shape::ragged, 37, 20011), order);
    ASSERT_TRUE(merges(runs, comp, merged<T>::stably(runs, order))) << d;
  }
}

// A tile holds few large elements: these have more than a thousand tiles, cut between coarse cuts.
TEST_F(multiway_large, is_stable) {
  if (small_sizes_only()) GTEST_SKIP() << "a thousand tiles are many elements";
  using subject = merged_as<record<64>, opaque>;
  const auto comp = subject::orders().back();
  const auto order = reference<subject::compare>::of(comp);
  for (std::size_t k : {3, 5, 16, 40}) {
    for (auto d : {distribution::uniform, distribution::staggered, distribution::few_distinct}) {
      const auto runs = make_runs<record<64>>(d, offsets_of(shape::ragged, k, 300007), order);
      ASSERT_TRUE(merges(runs, comp, merged<record<64>>::stably(runs, order))) << k << ", " << d;
    }
  }
}

TEST_F(multiway_large, loses_nothing_to_liars) {
  if (small_sizes_only()) GTEST_SKIP() << "a thousand tiles are many elements";
  const shared_counter counter;
  for (std::size_t k : {3, 5, 16, 40}) {
    const auto runs = make_runs<record<64>>(distribution::uniform,
                                            offsets_of(shape::ragged, k, 300007), opaque());
    const auto expected = merged<record<64>>::somehow(runs);
    for (auto m : every_inconsistent_comparator) {
      const opaque comp(m, seed(), counter.get());
      ASSERT_TRUE(merges(runs, comp, expected)) << k << " runs, " << name_of(m);
    }
  }
}

TYPED_TEST(multiway, selects_as_it_merges) {
  using T = typename TypeParam::value;
  const auto comp = TypeParam::orders().back();
  const auto order = reference<typename TypeParam::compare>::of(comp);
  for (std::size_t k : run_counts()) {
    if (k == 0) continue;
    for (shape s : every_shape) {
      const auto d = every_distribution[(k + static_cast<std::size_t>(s)) % 16];
      selects(make_runs<T>(d, offsets_of(s, k, 9001), order), comp, order);
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(multiway, what_is_not_sorted_is_a_permutation) {
  using T = typename TypeParam::value;
  const auto comp = TypeParam::orders().front();
  for (std::size_t k : {2, 5, 64, 300}) {
    const auto runs =
        make_unsorted_runs<T>(distribution::uniform, offsets_of(shape::ragged, k, 30011));
    ASSERT_TRUE(merges(runs, comp, merged<T>::somehow(runs))) << k;
  }
}

/// Tests inconsistent comparators, which are opaque.
template <class Subject>
class multiway_under_inconsistent_comparators : public gpu_test {};

using inconsistent_comparators =
    ::testing::Types<merged_as<std::uint64_t, opaque>, merged_as<record<16>, opaque>,
                     merged_as<record<64>, opaque>, merged_as<record<256>, opaque>>;
TYPED_TEST_SUITE(multiway_under_inconsistent_comparators, inconsistent_comparators);

TYPED_TEST(multiway_under_inconsistent_comparators, is_a_permutation) {
  using T = typename TypeParam::value;
  const shared_counter counter;
  for (std::size_t k : {2, 5, 64, 300}) {
    const auto runs =
        make_runs<T>(distribution::uniform, offsets_of(shape::ragged, k, 30011), opaque());
    const auto expected = merged<T>::somehow(runs);
    const buffer<T> data(runs.all, 1);
    for (auto m : every_inconsistent_comparator) {
      const opaque comp(m, seed(), counter.get());
      ASSERT_TRUE(merges(runs, comp, expected)) << k << " runs, " << name_of(m);
      std::vector<std::size_t> found(k);
      gpusort::multiway_select(gpusort::par_gpu, data.begin(), runs.offsets.begin(),
                               runs.offsets.end(), 20000, found.begin(), comp);
      std::size_t sum = 0;
      for (std::size_t i = 0; i < k; ++i) {
        ASSERT_LE(found[i], runs.offsets[i + 1] - runs.offsets[i]) << name_of(m);
        sum += found[i];
      }
      ASSERT_EQ(sum, 20000u) << name_of(m);
    }
  }
}

// -- by key ---------------------------------------------------------------------------------------

template <class Key, class Value, class Compare, class Order>
void merges_by_key(shape s, std::size_t k, std::size_t n, Compare comp, Order order) {
  const auto runs = make_runs<Key>(distribution::few_distinct, offsets_of(s, k, n), order);
  column<Value> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = make_value<Value>(random_at(1, i), i);
  const buffer<Key> keys(runs.all, n % 4), keys_out(n, n % 3);
  const buffer<Value> from(values, n % 5), values_out(n, n % 2);
  const auto places = merged_places(runs.all, order);
  const auto check = [&](const auto& ends) {
    EXPECT_EQ(ends.first, keys_out.end());
    EXPECT_EQ(ends.second, values_out.end());
    EXPECT_TRUE(keys_out.intact() && values_out.intact());
    const auto found_keys = keys_out.read();
    const auto found_values = values_out.read();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(same_bytes(found_keys[i], runs.all[places[i]])) << i << " of " << n;
      ASSERT_TRUE(same_bytes(found_values[i], values[places[i]])) << i << " of " << n;
    }
  };
  check(gpusort::multiway_merge_by_key(gpusort::par_gpu, keys.begin(), runs.offsets.begin(),
                                       runs.offsets.end(), from.begin(), keys_out.begin(),
                                       values_out.begin(), comp));
  std::vector<std::pair<Key*, Key*>> pairs;
  std::vector<Value*> beginnings;
  for (std::size_t i = 0; i < k; ++i) {
    pairs.emplace_back(keys.begin() + runs.offsets[i], keys.begin() + runs.offsets[i + 1]);
    beginnings.push_back(from.begin() + runs.offsets[i]);
  }
  check(gpusort::multiway_merge_by_key(gpusort::par_gpu, pairs.begin(), pairs.end(),
                                       beginnings.begin(), keys_out.begin(), values_out.begin(),
                                       comp));
}

template <class Key, class Value, class Compare, class Order>
void merges_all_by_key(Compare comp, Order order) {
  for (std::size_t k : {1, 2, 5, 64, 65, 700}) {
    for (shape s : every_shape) {
      merges_by_key<Key, Value>(s, k, 20011, comp, order);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

class multiway_by_key : public gpu_test {};

TEST_F(multiway_by_key, numbers) {
  merges_all_by_key<std::uint32_t, std::uint32_t>(gpusort::less{}, reference_less{});
}
TEST_F(multiway_by_key, values_left_where_they_are) {
  merges_all_by_key<std::uint64_t, record<100>>(opaque(behavior::coarse), opaque(behavior::coarse));
}

}  // namespace
}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU backend's sort: order, stability and permutation for every shape of input and comparator.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <gpusort/detail/support/order.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

template <class T, class Compare>
::testing::AssertionResult sorts(distribution d, std::size_t n, int cores, Compare comp,
                                 promise promised) {
  const auto in = generate<T>(d, n, seed());
  guarded<T> range(in, 1);
  with_cores(cores, [&] { host::stable_sort(range.data(), n, comp); });
  // Long results of inconsistent comparators are checked by checksum, all else exactly; but
  // over-aligned elements by the positions in them, as std::stable_sort, to compare with, puts them
  // at any address.
  const std::size_t exact_up_to = alignof(T) > alignof(std::max_align_t) ? 0
                                  : promised == promise::permutation     ? 5000
                                                                         : 70000;
  auto found = examine(in, range.read(), comp, promised, exact_up_to);
  found.zones_intact = range.intact();
  if (found.ok()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << found << " (" << d << ", n = " << n << ", " << cores << " cores)";
}

template <class T>
class backend_sort : public ::testing::Test {};
using types = ::testing::Types<bool, std::uint8_t, std::uint32_t, std::int64_t, uint128, double,
                               record<3>, record<16>, record<64, 64>, record<100, 1>, record<4096>>;
TYPED_TEST_SUITE(backend_sort, types);

TYPED_TEST(backend_sort, every_size_and_distribution) {
  int which = 0;
  for (std::size_t n : backend_sizes()) {
    if (n * sizeof(TypeParam) > std::size_t{1} << 21) continue;
    for (auto d : every_distribution) {
      // all below a thousand elements, where every size is another path; a part of them beyond
      if (n > 1000 && ++which % 7 != 0) continue;
      const auto order = n % 2 == 0 ? behavior::coarse : behavior::honest;
      for (int cores : {1, 4}) {
        if (cores > 1 && n < 4000) continue;
        ASSERT_TRUE(sorts<TypeParam>(d, n, cores, opaque(order), promise::stability));
      }
    }
  }
}

TYPED_TEST(backend_sort, liars_lose_nothing) {
  unsigned long long counter = 0;
  for (std::size_t n : {2, 3, 7, 32, 33, 64, 65, 500, 4097, 20000}) {
    if (n * sizeof(TypeParam) > std::size_t{1} << 21) continue;
    for (auto m : every_inconsistent_comparator) {
      for (auto d : {distribution::uniform, distribution::few_distinct, distribution::sorted,
                     distribution::reverse}) {
        for (int cores : {1, 4}) {
          const opaque comp(m, seed(), &counter);
          ASSERT_TRUE(sorts<TypeParam>(d, n, cores, comp, promise::permutation)) << name_of(m);
        }
      }
    }
  }
}

TEST(backend_floats, in_total_order_and_with_nans_under_less_than) {
  for (std::size_t n : {2, 100, 5000, 100000}) {
    for (int cores : {1, 4}) {
      const auto total =
          sorts<float>(distribution::special, n, cores, gpusort::less{}, promise::stability);
      ASSERT_TRUE(total);
      ASSERT_TRUE(
          sorts<double>(distribution::special, n, cores, gpusort::greater{}, promise::stability));
      ASSERT_TRUE(
          sorts<float>(distribution::special, n, cores, std::less<float>{}, promise::permutation));
      ASSERT_TRUE(sorts<double>(distribution::special, n, cores, std::greater<double>{},
                                promise::permutation));
    }
  }
}

TEST(backend_large, two_million_elements) {
  const std::size_t n = small_sizes_only() ? 20011 : 2000003;
  for (auto d : every_distribution) {
    ASSERT_TRUE(sorts<std::uint32_t>(d, n, 4, gpusort::less{}, promise::order));
  }
  ASSERT_TRUE(sorts<record<16>>(distribution::randomized_duplicates, n, 4, opaque(behavior::honest),
                                promise::stability));
  ASSERT_TRUE((sorts<record<100, 1>>(distribution::randomized_duplicates, n / 8, 4,
                                     opaque(behavior::honest), promise::stability)));
}

TEST(backend_types, pairs_and_tuples) {
  using pair = std::pair<std::uint16_t, double>;
  using tuple = std::tuple<std::int8_t, std::uint64_t, float>;
  for (std::size_t n : {10, 100, 10000}) {
    std::vector<pair> pairs;
    std::vector<tuple> tuples;
    for (std::size_t i = 0; i < n; ++i) {
      const auto r = random_at(seed(), i);
      pairs.emplace_back(static_cast<std::uint16_t>(r % 64), static_cast<double>(i));
      tuples.emplace_back(static_cast<std::int8_t>(r % 5), r >> 60, static_cast<float>(i));
    }
    auto expected_pairs = pairs;
    auto expected_tuples = tuples;
    std::stable_sort(expected_pairs.begin(), expected_pairs.end());
    std::stable_sort(expected_tuples.begin(), expected_tuples.end());
    host::stable_sort(pairs.data(), n, std::less<>{});
    host::stable_sort(tuples.data(), n, std::less<>{});
    EXPECT_EQ(pairs, expected_pairs);
    EXPECT_EQ(tuples, expected_tuples);
  }
}

TEST(backend_types, elements_that_own_and_have_no_default) {
  for (std::size_t n : {1, 20, 1000, 50000}) {
    for (int cores : {1, 4}) {
      std::vector<owner> owners;
      for (std::size_t i = 0; i < n; ++i) owners.emplace_back(random_at(seed(), i) % 100, i);
      with_cores(cores, [&] { host::stable_sort(owners.data(), n, by_owned_key{}); });
      for (std::size_t i = 1; i < n; ++i) {
        ASSERT_LE(owners[i - 1].key(), owners[i].key());
        if (owners[i - 1].key() == owners[i].key()) {
          ASSERT_LT(owners[i - 1].position(), owners[i].position());
        }
      }
    }
  }
}

TEST(backend_comparators, may_return_anything_that_tells_true_from_false) {
  struct verdict {
    int value;
    explicit operator bool() const { return value != 0; }
  };
  std::vector<int> v(1000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(random_at(seed(), i) % 1000);
  auto expected = v;
  std::sort(expected.begin(), expected.end());
  host::stable_sort(v.data(), v.size(), [](int a, int b) { return verdict{a < b ? 4 : 0}; });
  EXPECT_EQ(v, expected);
  host::stable_sort(v.data(), v.size(), [](int a, int b) { return a > b ? 256 : 0; });
  EXPECT_TRUE(std::equal(v.rbegin(), v.rend(), expected.begin()));
}

TEST(backend_concurrency, several_threads_sort_at_once) {
  std::vector<std::thread> threads;
  std::vector<int> good(6);
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([t, &good] {
      bool all = true;
      for (std::uint64_t round = 0; round < 5; ++round) {
        const auto s = random_at(seed() + round, static_cast<std::uint64_t>(t));
        const auto in =
            generate<record<16>>(distribution::randomized_duplicates, 30000 + s % 999, s);
        auto out = in;
        host::stable_sort(out.data(), out.size(), opaque(behavior::honest));
        all = all && examine(in, out, opaque(behavior::honest), promise::stability).ok();
      }
      good[static_cast<std::size_t>(t)] = all;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::count(good.begin(), good.end(), 1), 6);
}

#if GPUSORT_HAS_TBB
TEST(backend_concurrency, a_cancelled_group_around_the_call_does_not_stop_it) {
  const auto in = generate<std::uint32_t>(distribution::uniform, 200000, seed());
  auto out = in;
  with_cores(4, [&] {
    oneapi::tbb::task_group_context outer;
    oneapi::tbb::parallel_invoke(
        [&] {
          outer.cancel_group_execution();
          host::stable_sort(out.data(), out.size(), std::less<>{});
        },
        [] {}, outer);
  });
  EXPECT_TRUE(examine(in, out, std::less<>{}, promise::order).ok());
}
#endif

}  // namespace
}  // namespace kit

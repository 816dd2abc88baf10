// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public index sorts compiled by a C++ compiler: they run on the CPU.
#include <gpusort/external.hpp>
#include <stdexcept>

#include "../kit/environment.hpp"
#include "../kit/indexed.hpp"
#include "../kit/orders.hpp"

namespace kit {
namespace {

template <class Key, class Index, class Policy, class Order>
::testing::AssertionResult sorts(const Policy& policy, bool stable, const indexed<Key, Index>& t,
                                 Order order, bool has_fetch) {
  if (has_fetch) {
    if (stable) {
      gpusort::stable_sort(policy, t.first(), t.last(), t.fetch(), order, t.swap());
    } else {
      gpusort::sort(policy, t.first(), t.last(), t.fetch(), order, t.swap());
    }
  } else if (stable) {
    gpusort::stable_sort(policy, t.first(), t.last(), t.comparing(order), t.swap());
  } else {
    gpusort::sort(policy, t.first(), t.last(), t.comparing(order), t.swap());
  }
  return t.is_sorted(order, stable);
}

template <class Key, class Index, class Order>
void sorts_every_storage(Index first, Order order) {
  for (std::size_t n : {0, 1, 2, 100, 4097, 70001}) {
    for (auto s : {storage::in_order, storage::strided, storage::permuted}) {
      for (bool stable : {false, true}) {
        for (bool has_fetch : {false, true}) {
          const indexed<Key, Index> t(distribution::few_distinct, n, first, s);
          ASSERT_TRUE(sorts(gpusort::par_gpu, stable, t, order, has_fetch)) << "n = " << n;
          ASSERT_LE(t.swaps(), n);
        }
      }
    }
  }
}

TEST(index_public_api, numbers) { sorts_every_storage<std::uint32_t>(-50, gpusort::less{}); }
TEST(index_public_api, floats) {
  sorts_every_storage<float>(std::size_t{1} << 40, gpusort::greater{});
}
TEST(index_public_api, records) { sorts_every_storage<record<12>>(7u, opaque()); }

TEST(index_public_api, awkward_floats) {
  const indexed<float, int> t(distribution::special, 5000, 0);
  EXPECT_TRUE(sorts(gpusort::par_gpu, true, t, gpusort::less{}, true));
}

TEST(index_public_api, inconsistent_comparators) {
  for (auto m : every_inconsistent_comparator) {
    unsigned long long count = 0;
    const opaque inconsistent(m, seed(), &count);
    const indexed<std::uint32_t, int> t(distribution::uniform, 20000, 0);
    (void)sorts(gpusort::par_gpu, false, t, inconsistent, true);
    EXPECT_TRUE(t.is_permutation()) << name_of(m);
    (void)sorts(gpusort::par_gpu, true, t, inconsistent, false);
    EXPECT_TRUE(t.is_permutation()) << name_of(m);
  }
}

TEST(index_public_api, options) {
  const auto in_place = gpusort::par_gpu.with(gpusort::in_place);
  const indexed<std::uint32_t, int> t(distribution::uniform, 5000, -2500);
  EXPECT_TRUE(sorts(in_place, false, t, gpusort::less{}, true));
  EXPECT_THROW((void)sorts(in_place, true, t, gpusort::less{}, true), std::invalid_argument);
  EXPECT_THROW((void)sorts(in_place, true, t, gpusort::less{}, false), std::invalid_argument);
  const auto bitonic = gpusort::par_gpu_nosync.with(gpusort::algorithm::bitonic_sort);
  EXPECT_TRUE(sorts(bitonic, false, t, gpusort::greater{}, false));
  EXPECT_THROW((void)sorts(bitonic, true, t, gpusort::greater{}, false), std::invalid_argument);
  const auto limited = gpusort::par_gpu.with(gpusort::max_device_bytes(1000));
  EXPECT_TRUE(sorts(limited, true, t, gpusort::less{}, true));
  EXPECT_THROW(
      (void)sorts(gpusort::par_gpu.with(gpusort::require_device), false, t, gpusort::less{}, true),
      gpusort::cuda_error);
}

/// Expects what compare and swap are called with to be indices of the range.
template <class Index, class First, class Last>
void expect_indices(First first, Last last) {
  std::vector<int> values = {3, 1, 2};
  gpusort::sort(
      gpusort::par_gpu, first, last,
      [&](auto i, auto j) {
        static_assert(std::is_same_v<decltype(i), Index> && std::is_same_v<decltype(j), Index>);
        return values[static_cast<std::size_t>(i)] < values[static_cast<std::size_t>(j)];
      },
      [&](auto i, auto j) {
        static_assert(std::is_same_v<decltype(i), Index> && std::is_same_v<decltype(j), Index>);
        std::swap(values[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(j)]);
      });
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3}));
}

TEST(index_public_api, bounds_of_two_types) {
  expect_indices<int>(0, 3);
  expect_indices<std::size_t>(0, std::size_t{3});
  expect_indices<std::int64_t>(0, std::int64_t{3});
  expect_indices<unsigned>(0u, 3);
  expect_indices<int>(short{0}, short{3});
}

TEST(index_public_api, bad_bounds) {
  const auto never = [](auto, auto) -> bool { throw std::logic_error("called"); };
  const auto sort = [&](auto first, auto last) {
    gpusort::sort(gpusort::par_gpu, first, last, never, never);
  };
  EXPECT_THROW(sort(1, 0), std::invalid_argument);
  EXPECT_THROW(sort(std::size_t{1}, 0), std::invalid_argument);
  EXPECT_THROW(sort(-1, std::size_t{5}), std::invalid_argument);
  EXPECT_THROW(sort(0u, -5), std::invalid_argument);
  EXPECT_NO_THROW(sort(-3, -3));
  EXPECT_NO_THROW(sort(-3, -2));
}

TEST(index_public_api, what_a_comparator_throws_propagates) {
  const indexed<std::uint32_t, int> t(distribution::uniform, 20000, 0);
  const auto comp = [](std::uint32_t a, std::uint32_t b) {
    if (a % 97 == 0) throw std::runtime_error("a comparator's own");
    return a < b;
  };
  EXPECT_THROW((void)sorts(gpusort::par_gpu, false, t, comp, true), std::runtime_error);
  EXPECT_TRUE(t.is_permutation());
}

}  // namespace
}  // namespace kit

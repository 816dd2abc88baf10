// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public calls on a machine without a device, for whichever compiler: shared by
// tests/sorting/test_public_api.cpp (plain C++) and tests/sorting/test_public_api_cpu.cu (nvcc).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <gpusort/gpusort.hpp>
#include <iterator>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "generate.hpp"
#include "red_zones.hpp"

namespace kit {

inline std::vector<std::size_t> public_api_sizes() {
  if (small_sizes_only()) return {0, 1, 2, 33, 1000};
  return {0, 1, 2, 3, 16, 17, 33, 100, 1000, 4097, 20011};
}

template <class T, class Order>
::testing::AssertionResult holds_sorted(const column<T>& input, const guarded<T>& range,
                                        Order order, promise promised, const char* what) {
  findings f = examine(input, range.read(), order, promised);
  f.zones_intact = range.intact();
  if (f.ok()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << what << ", n = " << input.size() << ": " << f;
}

/// Checks sort, stable_sort and sort_copy of one input, under both policies.
template <class T, class Compare, class Order>
::testing::AssertionResult public_api(distribution d, std::size_t n, Compare comp, Order order) {
  const auto in = generate<T>(d, n, seed());
  const guarded<T> a(in, n % 4);
  gpusort::sort(gpusort::par_gpu, a.begin(), a.end(), comp);
  const auto sorted = holds_sorted(in, a, order, promise::order, "sort");
  if (!sorted) return sorted;
  const guarded<T> b(in, n % 3);
  gpusort::stable_sort(gpusort::par_gpu_nosync, b.begin(), b.end(), comp);
  const auto stable = holds_sorted(in, b, order, promise::stability, "stable_sort");
  if (!stable) return stable;
  const guarded<T> source(in, 1);
  const guarded<T> target(n, 2);
  if (gpusort::sort_copy(gpusort::par_gpu, source.begin(), source.end(), target.begin(), comp) !=
      target.end()) {
    return ::testing::AssertionFailure() << "sort_copy returned another end";
  }
  const auto kept = source.read();
  if (!std::equal(in.begin(), in.end(), kept.begin(), same_bytes<T>)) {
    return ::testing::AssertionFailure() << "sort_copy changed its input";
  }
  if (!gpusort::is_sorted(gpusort::par_gpu, target.begin(), target.end(), comp)) {
    return ::testing::AssertionFailure() << "is_sorted denies it";
  }
  return holds_sorted(in, target, order, promise::order, "sort_copy");
}

template <class T, class Compare>
::testing::AssertionResult public_api_permutes(distribution d, std::size_t n, Compare comp) {
  const auto in = generate<T>(d, n, seed());
  const guarded<T> a(in, n % 4);
  gpusort::sort(gpusort::par_gpu, a.begin(), a.end(), comp);
  const guarded<T> b(in, n % 3);
  gpusort::stable_sort(gpusort::par_gpu, b.begin(), b.end(), comp);
  const auto permuted = holds_sorted(in, a, comp, promise::permutation, "sort");
  if (!permuted) return permuted;
  return holds_sorted(in, b, comp, promise::permutation, "stable_sort");
}

inline void sort_by_key_public_api() {
  using u32 = std::uint32_t;
  for (std::size_t n : public_api_sizes()) {
    for (bool stable : {false, true}) {
      for (bool descending : {false, true}) {
        const auto in = generate<u32>(distribution::few_distinct, n, seed());
        const guarded<u32> keys(in, 1);
        const guarded<std::uint64_t> positions(n, 3);
        std::iota(positions.begin(), positions.end(), std::uint64_t{0});
        std::vector<record<64>> records(n);
        std::vector<std::uint8_t> bytes(n);
        for (std::size_t i = 0; i < n; ++i) {
          records[i] = make_value<record<64>>(random_at(seed(), i), i);
          bytes[i] = static_cast<std::uint8_t>(i);
        }
        const auto call = [&](auto... comp) {
          if (stable) {
            gpusort::stable_sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(),
                                        positions.begin(), records.begin(), bytes.begin(), comp...);
          } else {
            gpusort::sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), positions.begin(),
                                 records.begin(), bytes.begin(), comp...);
          }
        };
        if (descending) {
          call(gpusort::greater{});
        } else {
          call();
        }
        ASSERT_TRUE(keys.intact() && positions.intact());
        const auto k = keys.read();
        const auto p = positions.read();
        column<bool> seen(n);
        std::fill(seen.begin(), seen.end(), false);
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_TRUE(p[i] < n && !seen[p[i]]);
          seen[p[i]] = true;
          ASSERT_EQ(k[i], in[p[i]]);
          const auto record_there = make_value<record<64>>(random_at(seed(), p[i]), p[i]);
          ASSERT_TRUE(same_bytes(records[i], record_there));
          ASSERT_EQ(bytes[i], static_cast<std::uint8_t>(p[i]));
          if (i == 0) continue;
          ASSERT_TRUE(descending ? k[i - 1] >= k[i] : k[i - 1] <= k[i]);
          if (stable && k[i - 1] == k[i]) {
            ASSERT_LT(p[i - 1], p[i]);
          }
        }
      }
    }
  }
}

inline void bad_input_public_api() {
  std::vector<int> values{5, 4, 3, 2, 1, 0};
  const auto untouched = values;
  int* const first = values.data();
  int* const last = first + values.size();
  EXPECT_THROW(gpusort::sort(gpusort::par_gpu, last, first), std::invalid_argument);
  EXPECT_THROW(gpusort::stable_sort(gpusort::par_gpu, values.end(), values.begin()),
               std::invalid_argument);
  EXPECT_THROW(gpusort::is_sorted(gpusort::par_gpu, last, first), std::invalid_argument);
  EXPECT_THROW(gpusort::sort_copy(gpusort::par_gpu, last, first, first), std::invalid_argument);
  EXPECT_THROW(gpusort::argsort(gpusort::par_gpu, last, first, first), std::invalid_argument);
  EXPECT_THROW(gpusort::sort_by_key(gpusort::par_gpu, first, first + 3, first + 2),
               std::invalid_argument);
  EXPECT_THROW(gpusort::sort_by_key(gpusort::par_gpu, first, first + 3, first),
               std::invalid_argument);
  EXPECT_THROW(gpusort::stable_sort_by_key(gpusort::par_gpu, first + 1, first + 4, first),
               std::invalid_argument);
  EXPECT_THROW(gpusort::sort_copy(gpusort::par_gpu, values.begin(), values.begin() + 4, first + 2),
               std::invalid_argument);
  EXPECT_THROW(gpusort::argsort(gpusort::par_gpu, first, first + 3, values.begin() + 2),
               std::invalid_argument);
  EXPECT_THROW(gpusort::argsort(gpusort::par_gpu, first, first + 3, first), std::invalid_argument);
  const std::vector<int> offsets{0, 3, 7}, decreasing{0, 3, 2}, negative{-1, 3};
  for (const std::vector<int>& wrong : {offsets, decreasing, negative}) {
    for (int n : {6, 0}) {
      EXPECT_THROW(
          gpusort::segmented_sort(gpusort::par_gpu, first, first + n, wrong.begin(), wrong.end()),
          std::invalid_argument);
    }
  }
  EXPECT_EQ(values, untouched);
  int* const null = nullptr;
  EXPECT_NO_THROW(gpusort::sort(gpusort::par_gpu, null, null));
  EXPECT_NO_THROW(gpusort::stable_sort(gpusort::par_gpu, null, null));
  EXPECT_NO_THROW(gpusort::sort_by_key(gpusort::par_gpu, null, null, null));
  EXPECT_NO_THROW(gpusort::sort_copy(gpusort::par_gpu, null, null, null));
  EXPECT_NO_THROW(gpusort::argsort(gpusort::par_gpu, null, null, null));
  EXPECT_TRUE(gpusort::is_sorted(gpusort::par_gpu, null, null));
  EXPECT_NO_THROW(gpusort::segmented_sort(gpusort::par_gpu, null, null, null, null));
  EXPECT_NO_THROW(
      gpusort::segmented_sort(gpusort::par_gpu, null, null, offsets.data(), offsets.data() + 1));
  // Onto itself, and next to each other, ranges may be.
  EXPECT_NO_THROW(gpusort::sort_copy(gpusort::par_gpu, first, first + 3, values.begin()));
  EXPECT_NO_THROW(gpusort::sort_copy(gpusort::par_gpu, first + 3, last, first));
  EXPECT_EQ(values, (std::vector<int>{0, 1, 2, 2, 1, 0}));
}

inline void queries_public_api() {
  for (std::size_t n : public_api_sizes()) {
    const auto in = generate<double>(distribution::few_distinct, n, seed());
    std::vector<std::uint32_t> order(n);
    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0u);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return in[a] < in[b]; });
    gpusort::argsort(gpusort::par_gpu, in.begin(), in.end(), order.begin());
    EXPECT_EQ(order, expected);

    std::vector<double> values(in.begin(), in.end());
    EXPECT_EQ(gpusort::is_sorted(gpusort::par_gpu, values.begin(), values.end()),
              std::is_sorted(values.begin(), values.end()));
    gpusort::sort(gpusort::par_gpu, values.begin(), values.end());
    EXPECT_TRUE(gpusort::is_sorted(gpusort::par_gpu, values.begin(), values.end()));
    if (n > 2 && values.front() != values.back()) {
      EXPECT_FALSE(
          gpusort::is_sorted(gpusort::par_gpu, values.begin(), values.end(), gpusort::greater{}));
    }

    EXPECT_NO_THROW(gpusort::scratch_bytes(gpusort::par_gpu, values.begin(), values.end()));
    std::ostringstream plan;
    plan << gpusort::explain(gpusort::par_gpu, values.begin(), values.end());
    EXPECT_GT(plan.str().size(), 5u);
  }
  EXPECT_NO_THROW(gpusort::release_scratch());
}

/// A record as users write them.
struct public_api_row {
  float distance;
  std::int32_t level;
  std::uint32_t position;
};

/// A projection. As nvcc wants it: a functor for both sides, not a plain lambda.
struct level_of_row {
  GPUSORT_HOST_DEVICE std::int32_t operator()(const public_api_row& r) const { return r.level; }
};

inline void orders_public_api() {
  using row = public_api_row;
  for (std::size_t n : public_api_sizes()) {
    column<row> in(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t r = random_at(seed(), i);
      in[i] = {value_at<float>(distribution::special, i, n, seed()),
               static_cast<std::int32_t>(r % 7) - 3, static_cast<std::uint32_t>(i)};
    }
    const auto by_level = [](const row& a, const row& b) {
      if (a.level != b.level) return a.level > b.level;
      return reference_less{}(a.distance, b.distance);
    };
    const auto by_distance = [](const row& a, const row& b) {
      return reference_less{}(a.distance, b.distance);
    };
    const guarded<row> a(in, 1);
    gpusort::stable_sort(
        gpusort::par_gpu, a.begin(), a.end(),
        gpusort::order_by(gpusort::desc(&row::level), gpusort::asc(&row::distance)));
    EXPECT_TRUE(holds_sorted(in, a, by_level, promise::stability, "order_by"));
    const guarded<row> b(in, 1);
    gpusort::stable_sort(gpusort::par_gpu, b.begin(), b.end(), gpusort::less{}, &row::distance);
    EXPECT_TRUE(holds_sorted(in, b, by_distance, promise::stability, "projection"));
    const guarded<row> c(in, 1);
    gpusort::sort(gpusort::par_gpu, c.begin(), c.end(), std::greater<>{}, level_of_row{});
    EXPECT_TRUE(holds_sorted(
        in, c, [](const row& x, const row& y) { return x.level > y.level; }, promise::order,
        "projection by a functor"));

    const auto numbers = generate<int>(distribution::uniform, n, seed());
    const auto sorts = [&](auto order, auto... comp) {
      const guarded<int> range(numbers, 1);
      gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), comp...);
      EXPECT_TRUE(holds_sorted(numbers, range, order, promise::order, "a standard functor"));
    };
    sorts(std::less<>{});
    sorts(std::less<>{}, std::less<>{});
    sorts(std::less<>{}, std::less<int>{});
    sorts(std::greater<>{}, std::greater<>{});
    sorts(std::greater<>{}, std::greater<int>{});
    sorts(std::greater<>{}, gpusort::greater{});
  }
}

template <class Container>
void sort_container_public_api(std::size_t n) {
  const auto in = generate<int>(distribution::gaussian, n, seed());
  std::vector<int> expected(in.begin(), in.end());
  std::sort(expected.begin(), expected.end());
  Container values(in.begin(), in.end());
  gpusort::sort(gpusort::par_gpu, values.begin(), values.end());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), values.begin()));
}

inline void iterators_public_api() {
  for (std::size_t n : public_api_sizes()) {
    sort_container_public_api<std::vector<int>>(n);
#if !GPUSORT_CUDA  // nvcc compiles a device copy of any iterator, which this one has not
    sort_container_public_api<std::deque<int>>(n);
#endif
    const auto in = generate<int>(distribution::gaussian, n, seed());
    std::vector<int> values(in.begin(), in.end());
    gpusort::stable_sort(gpusort::par_gpu, values.rbegin(), values.rend());
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::greater<>{}));
  }
  std::array<int, 4> array{3, 1, 2, 0};
  gpusort::sort(gpusort::par_gpu, array.begin(), array.end());
  EXPECT_EQ(array, (std::array<int, 4>{0, 1, 2, 3}));
  std::string text = "the quick brown fox";
  gpusort::sort(gpusort::par_gpu, text.begin(), text.end());
  EXPECT_TRUE(std::is_sorted(text.begin(), text.end()));
}

inline void options_public_api() {
  const auto in = generate<int>(distribution::uniform, 5000, seed());
  const auto sorts = [&](const auto& policy) {
    const guarded<int> range(in, 1);
    gpusort::sort(policy, range.begin(), range.end());
    EXPECT_TRUE(holds_sorted(in, range, reference_less{}, promise::order, "options"));
  };
  sorts(gpusort::par_gpu.with(gpusort::in_place));
  sorts(gpusort::par_gpu.with(gpusort::deterministic));
  sorts(gpusort::par_gpu.with(gpusort::algorithm::radix_sort));
  sorts(gpusort::par_gpu.with(gpusort::algorithm::sample_sort, gpusort::deterministic));
  sorts(gpusort::par_gpu_nosync.with(gpusort::scratch(nullptr, 0)));
}

}  // namespace kit

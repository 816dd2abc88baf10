// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public merges on a machine without a device, for whichever compiler: shared by
// tests/merging/test_merge_public_api.cpp (plain C++) and
// tests/merging/test_merge_public_api_cpu.cu (nvcc).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <gpusort/merge.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "red_zones.hpp"
#include "runs.hpp"

namespace kit {

inline std::vector<std::size_t> merge_public_api_sizes() {
  if (small_sizes_only()) return {0, 1, 2, 33, 1000};
  return {0, 1, 2, 33, 1000, 4097, 20011};
}

/// Checks merge and inplace_merge of two runs, multiway_merge of all, by offsets and by pairs.
template <class T, class Compare>
::testing::AssertionResult merge_public_api(const run_set<T>& runs, Compare comp,
                                            const merged<T>& expected) {
  using gpusort::par_gpu;
  const std::size_t n = runs.all.size();
  const guarded<T> data(runs.all, 1), out(n, 3), by_offsets(n, 0), by_pairs(n, 0);
  const auto& at = runs.offsets;
  if (runs.k() == 2) {
    T *const a = data.begin(), *const b = a + at[1];
    if (gpusort::merge(par_gpu, a, b, b, data.end(), out.begin(), comp) != out.end()) {
      return ::testing::AssertionFailure() << "merge returned another end";
    }
    const auto merges = expected.is(out);
    if (!merges) return ::testing::AssertionFailure() << "merge: " << merges.message();
    const guarded<T> range(runs.all, 2);
    gpusort::inplace_merge(gpusort::par_gpu_nosync, range.begin(), range.begin() + at[1],
                           range.end(), comp);
    const auto in_place = expected.is(range);
    if (!in_place) return ::testing::AssertionFailure() << "inplace: " << in_place.message();
  }
  gpusort::multiway_merge(par_gpu, data.begin(), at.begin(), at.end(), by_offsets.begin(), comp);
  const auto merges = expected.is(by_offsets);
  if (!merges) return ::testing::AssertionFailure() << "by offsets: " << merges.message();
  std::vector<std::pair<const T*, const T*>> pairs;
  for (std::size_t i = 0; i < runs.k(); ++i) {
    pairs.emplace_back(data.begin() + at[i], data.begin() + at[i + 1]);
  }
  gpusort::multiway_merge(par_gpu, pairs.begin(), pairs.end(), by_pairs.begin(), comp);
  if (!same_elements(data.read(), runs.all)) {
    return ::testing::AssertionFailure() << "a run changed";
  }
  return expected.is(by_pairs);
}

template <class T, class Compare, class Order>
void merges_public_api(Compare comp, Order order) {
  for (std::size_t n : merge_public_api_sizes()) {
    for (std::size_t k : {1, 2, 3, 64, 300}) {
      for (shape s : every_shape) {
        const auto d = every_distribution[(n + k + static_cast<std::size_t>(s)) % 16];
        const auto runs = make_runs<T>(d, offsets_of(s, k, n), order);
        ASSERT_TRUE(merge_public_api(runs, comp, merged<T>::stably(runs, order)))
            << k << " runs, " << name_of(s) << ", " << d;
      }
    }
  }
}

inline void merge_inconsistent_comparators_public_api() {
  for (auto m : every_inconsistent_comparator) {
    for (std::size_t k : {2, 20}) {
      const auto runs = make_runs<record<16>>(distribution::uniform,
                                              offsets_of(shape::ragged, k, 9001), opaque());
      const opaque comp(m, seed());
      ASSERT_TRUE(merge_public_api(runs, comp, merged<record<16>>::somehow(runs))) << name_of(m);
    }
  }
}

inline void merge_by_key_public_api() {
  using u32 = std::uint32_t;
  for (std::size_t k : {2, 30}) {
    const auto runs = make_runs<u32>(distribution::few_distinct, offsets_of(shape::ragged, k, 9001),
                                     reference_less{});
    const std::vector<u32> keys(runs.all.begin(), runs.all.end());
    std::vector<std::size_t> values(keys.size()), out(keys.size());
    std::iota(values.begin(), values.end(), std::size_t{0});
    std::vector<u32> keys_out(keys.size());
    const auto expected = merged_places(runs.all, reference_less{});
    const auto check = [&](const auto& ends) {
      EXPECT_TRUE(ends.first == keys_out.end() && ends.second == out.end());
      EXPECT_TRUE(std::is_sorted(keys_out.begin(), keys_out.end()));
      EXPECT_EQ(out, expected);
    };
    const auto& at = runs.offsets;
    if (k == 2) {
      const auto b = static_cast<std::ptrdiff_t>(at[1]);
      check(gpusort::merge_by_key(gpusort::par_gpu, keys.begin(), keys.begin() + b,
                                  keys.begin() + b, keys.end(), values.begin(), values.begin() + b,
                                  keys_out.begin(), out.begin()));
    }
    check(gpusort::multiway_merge_by_key(gpusort::par_gpu, keys.begin(), at.begin(), at.end(),
                                         values.begin(), keys_out.begin(), out.begin()));
    std::vector<std::pair<const u32*, const u32*>> pairs;
    std::vector<const std::size_t*> beginnings;
    for (std::size_t i = 0; i < k; ++i) {
      pairs.emplace_back(keys.data() + at[i], keys.data() + at[i + 1]);
      beginnings.push_back(values.data() + at[i]);
    }
    check(gpusort::multiway_merge_by_key(gpusort::par_gpu, pairs.begin(), pairs.end(),
                                         beginnings.begin(), keys_out.begin(), out.begin(),
                                         std::less<>()));
    std::vector<int> positions(k);
    gpusort::multiway_select(gpusort::par_gpu, pairs.begin(), pairs.end(), 1000, positions.begin());
    EXPECT_EQ(std::accumulate(positions.begin(), positions.end(), 0), 1000);
    for (std::size_t i = 0; i < 1000; ++i) {
      const auto run = std::upper_bound(at.begin(), at.end(), expected[i]) - at.begin() - 1;
      EXPECT_LT(expected[i], at[run] + positions[run]);
    }
  }
}

inline void merge_iterators_public_api() {
  const std::vector<int> a{1, 3, 5};
  const std::deque<short> b{4, 3, 2};
  std::deque<long> out(6);
  gpusort::merge(gpusort::par_gpu, a.begin(), a.end(), b.rbegin(), b.rend(), out.begin());
  EXPECT_EQ(out, (std::deque<long>{1, 2, 3, 3, 4, 5}));
#if GPUSORT_CUDA
  const std::greater<int> greater;
#else  // a pointer to a function is a comparator, and no iterator
  bool (*const greater)(const int&, const int&) = [](const int& x, const int& y) { return x > y; };
#endif
  const std::vector<int> descending{5, 1, 4, 3};
  const std::vector<unsigned char> offsets{0, 2, 4};
  std::vector<int> merged(4);
  gpusort::multiway_merge(gpusort::par_gpu, descending.begin(), offsets.begin(), offsets.end(),
                          merged.rbegin(), greater);
  EXPECT_EQ(merged, (std::vector<int>{1, 3, 4, 5}));
  std::deque<int> range{1, 4, 2, 3};
  gpusort::inplace_merge(gpusort::par_gpu, range.begin(), range.begin() + 2, range.end());
  EXPECT_EQ(range, (std::deque<int>{1, 2, 3, 4}));
}

inline void merge_bad_input_public_api() {
  using gpusort::par_gpu;
  std::vector<int> data{1, 2, 3, 4, 5, 6}, out(6);
  const auto before = data;
  int *const a = data.data(), *const b = a + 3, *const end = a + 6, *const to = out.data();
  std::vector<int> positions(3);
  const std::vector<int> down{0, 4, 2}, below{-1, 2, 4}, offsets{0, 3, 6};
  EXPECT_THROW(gpusort::merge(par_gpu, b, a, b, end, to), std::invalid_argument);
  EXPECT_THROW(gpusort::merge(par_gpu, a, b, b, end, a), std::invalid_argument);
  EXPECT_THROW(gpusort::merge(par_gpu, data.begin(), data.begin() + 3, data.begin() + 3, data.end(),
                              data.begin() + 1),
               std::invalid_argument);
  EXPECT_THROW(gpusort::merge_by_key(par_gpu, a, b, b, end, a, b, to, to), std::invalid_argument);
  EXPECT_THROW(gpusort::inplace_merge(par_gpu, a, end, b), std::invalid_argument);
  EXPECT_THROW(gpusort::inplace_merge(par_gpu, b, a, end), std::invalid_argument);
  EXPECT_THROW(gpusort::multiway_merge(par_gpu, a, down.begin(), down.end(), to),
               std::invalid_argument);
  EXPECT_THROW(gpusort::multiway_merge(par_gpu, a, below.begin(), below.end(), to),
               std::invalid_argument);
  EXPECT_THROW(gpusort::multiway_merge(par_gpu, a, offsets.begin(), offsets.end(), b),
               std::invalid_argument);
  EXPECT_THROW(
      gpusort::multiway_select(par_gpu, a, offsets.begin(), offsets.end(), 7, positions.begin()),
      std::invalid_argument);
  EXPECT_EQ(data, before);
  // Nothing at all.
  int* const nothing = nullptr;
  EXPECT_EQ(gpusort::merge(par_gpu, nothing, nothing, nothing, nothing, nothing), nothing);
  gpusort::inplace_merge(par_gpu, nothing, nothing, nothing);
  EXPECT_EQ(gpusort::multiway_merge(par_gpu, nothing, down.end(), down.end(), nothing), nothing);
}

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call with a projection, and with {} in the place of the comparator, on ranges of the host:
// shared by tests/calling/test_projections.cpp (the CPU) and tests/calling/test_projections.cu.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/gpusort.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "random.hpp"

namespace kit {

struct trade {
  std::uint32_t number;  // in which order they were made
  std::int32_t volume;

  friend bool operator==(const trade& a, const trade& b) {
    return a.number == b.number && a.volume == b.volume;
  }
};

using trades = std::vector<trade>;
using numbers = std::vector<std::uint32_t>;

inline trades random_trades(std::size_t n) {
  trades all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto volume = static_cast<std::int32_t>(random_at(seed(), i) % 100) - 50;
    all[i] = {static_cast<std::uint32_t>(i), volume};
  }
  return all;
}

template <class Iterator>
void std_sort(Iterator first, Iterator last) {
  std::stable_sort(first, last, [](const trade& a, const trade& b) { return a.volume < b.volume; });
}

/// Expects the stable order, and that of any other sort by volume.
inline void expect_order(const trades& found, trades in, bool is_stable = true) {
  std_sort(in.begin(), in.end());
  if (is_stable) {
    EXPECT_TRUE(found == in);
    return;
  }
  auto once_more = found;
  std::sort(once_more.begin(), once_more.end(), [](const trade& a, const trade& b) {
    return std::pair(a.volume, a.number) < std::pair(b.volume, b.number);
  });
  EXPECT_TRUE(once_more == in);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                             [](const trade& a, const trade& b) { return a.volume < b.volume; }));
}

/// Expects values that have been moved with the trades.
inline void expect_values(const trades& keys, const numbers& values) {
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(keys[i].number, values[i]);
}

template <class Policy, class Projection>
void projected_sorts(const Policy& policy, const trades& in, Projection projection) {
  trades a = in, out(in.size());
  gpusort::sort(policy, a.begin(), a.end(), {}, projection);
  expect_order(a, in, false);
  EXPECT_TRUE(gpusort::is_sorted(policy, a.begin(), a.end(), {}, projection));
  a = in;
  gpusort::stable_sort(policy, a.begin(), a.end(), {}, projection);
  expect_order(a, in);
  gpusort::sort_copy(policy, in.begin(), in.end(), out.begin(), {}, projection);
  expect_order(out, in, false);
  EXPECT_EQ(gpusort::is_sorted(policy, in.begin(), in.end(), {}, projection),
            std::is_sorted(in.begin(), in.end(),
                           [](const trade& x, const trade& y) { return x.volume < y.volume; }));

  numbers indices(in.size()), more(in.size());
  gpusort::argsort(policy, in.begin(), in.end(), indices.begin(), {}, projection);
  for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(indices[i], a[i].number);
  EXPECT_EQ(gpusort::explain(policy, in.begin(), in.end(), {}, projection).algorithm,
            gpusort::explain(policy, in.begin(), in.end(), gpusort::less{}, projection).algorithm);
  EXPECT_EQ(gpusort::scratch_bytes(policy, in.begin(), in.end(), {}, projection),
            gpusort::scratch_bytes(policy, in.begin(), in.end(), gpusort::less{}, projection));

  numbers values(in.size());
  const auto begin = [&] {
    a = in;
    std::iota(values.begin(), values.end(), 0u);
    more = values;
  };
  begin();
  gpusort::sort_by_key(policy, a.begin(), a.end(), values.begin(), {}, projection);
  expect_order(a, in, false);
  expect_values(a, values);
  begin();
  gpusort::stable_sort_by_key(policy, a.begin(), a.end(), values.begin(), {}, projection);
  expect_order(a, in);
  expect_values(a, values);
  begin();
  gpusort::stable_sort_by_key(policy, a.begin(), a.end(), values.begin(), more.begin(),
                              gpusort::less{}, projection);
  expect_order(a, in);
  expect_values(a, more);
}

template <class Policy, class Projection>
void projected_merges(const Policy& policy, const trades& in, Projection projection) {
  using run = std::pair<const trade*, const trade*>;
  trades sorted = in, out(in.size());
  const auto middle = static_cast<std::ptrdiff_t>(in.size() / 3);
  std_sort(sorted.begin(), sorted.begin() + middle);
  std_sort(sorted.begin() + middle, sorted.end());
  const trade *const a = sorted.data(), *const b = a + middle, *const end = a + sorted.size();
  numbers values(in.size()), values_out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) values[i] = sorted[i].number;
  const std::uint32_t *const a_values = values.data(), *const b_values = a_values + middle;
  const std::vector<run> runs{{a, b}, {b, end}};
  const std::vector<const std::uint32_t*> values_of_runs{a_values, b_values};
  const std::vector<std::uint64_t> offsets{0, static_cast<std::uint64_t>(middle), in.size()};
  const auto check = [&](bool has_values) {
    expect_order(out, in);
    if (has_values) expect_values(out, values_out);
    std::fill(out.begin(), out.end(), trade{});
    std::fill(values_out.begin(), values_out.end(), 0u);
  };

  gpusort::merge(policy, a, b, b, end, out.begin(), {}, projection);
  check(false);
  gpusort::merge_by_key(policy, a, b, b, end, a_values, b_values, out.begin(), values_out.begin(),
                        {}, projection);
  check(true);
  gpusort::multiway_merge(policy, runs.begin(), runs.end(), out.begin(), {}, projection);
  check(false);
  gpusort::multiway_merge(policy, a, offsets.begin(), offsets.end(), out.begin(), {}, projection);
  check(false);
  gpusort::multiway_merge_by_key(policy, runs.begin(), runs.end(), values_of_runs.begin(),
                                 out.begin(), values_out.begin(), {}, projection);
  check(true);
  gpusort::multiway_merge_by_key(policy, a, offsets.begin(), offsets.end(), a_values, out.begin(),
                                 values_out.begin(), {}, projection);
  check(true);

  std::vector<std::uint64_t> found(2), found_again(2);
  const std::uint64_t rank = in.size() / 2;
  gpusort::multiway_select(policy, runs.begin(), runs.end(), rank, found.begin(), {}, projection);
  gpusort::multiway_select(policy, a, offsets.begin(), offsets.end(), rank, found_again.begin(), {},
                           projection);
  EXPECT_EQ(found, found_again);
  trades before(a, a + found[0]), whole = in;
  before.insert(before.end(), b, b + found[1]);
  std_sort(whole.begin(), whole.end());
  expect_order(trades(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(rank)), before);

  out = sorted;
  gpusort::inplace_merge(policy, out.begin(), out.begin() + middle, out.end(), {}, projection);
  check(false);
}

template <class Policy, class Projection>
void projected_segments(const Policy& policy, const trades& in, Projection projection) {
  const std::vector<std::uint32_t> offsets{0, static_cast<std::uint32_t>(in.size() / 3),
                                           static_cast<std::uint32_t>(in.size())};
  trades a = in;
  numbers values(in.size());
  const auto first = offsets.begin(), last = offsets.end();
  const auto check = [&](bool is_stable, bool has_values) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto begin = static_cast<std::ptrdiff_t>(offsets[i]);
      const auto end = static_cast<std::ptrdiff_t>(offsets[i + 1]);
      expect_order(trades(a.begin() + begin, a.begin() + end),
                   trades(in.begin() + begin, in.begin() + end), is_stable);
    }
    if (has_values) expect_values(a, values);
    a = in;
    std::iota(values.begin(), values.end(), 0u);
  };
  gpusort::segmented_sort(policy, a.begin(), a.end(), first, last, {}, projection);
  check(false, false);
  gpusort::stable_segmented_sort(policy, a.begin(), a.end(), first, last, {}, projection);
  check(true, false);
  gpusort::segmented_sort_by_key(policy, a.begin(), a.end(), values.begin(), first, last, {},
                                 projection);
  check(false, true);
  gpusort::stable_segmented_sort_by_key(policy, a.begin(), a.end(), values.begin(), first, last, {},
                                        projection);
  check(true, true);
}

/// Calls with {} and nothing after it: the default order of every call.
template <class Policy>
void default_orders(const Policy& policy) {
  std::vector<int> a{3, 1, 2}, out(6);
  const std::vector<int> expected{1, 2, 3}, merged{1, 1, 2, 2, 3, 3};
  numbers values(6);
  gpusort::sort(policy, a.begin(), a.end(), {});
  EXPECT_EQ(a, expected);
  a = {3, 1, 2};
  gpusort::stable_sort(policy, a.begin(), a.end(), {});
  EXPECT_EQ(a, expected);
  a = {3, 1, 2};
  gpusort::sort_by_key(policy, a.begin(), a.end(), values.begin(), {});
  EXPECT_EQ(a, expected);
  a = {3, 1, 2};
  gpusort::stable_sort_by_key(policy, a.begin(), a.end(), values.begin(), {});
  EXPECT_EQ(a, expected);
  EXPECT_TRUE(gpusort::is_sorted(policy, a.begin(), a.end(), {}));
  gpusort::merge(policy, a.begin(), a.end(), expected.begin(), expected.end(), out.begin(), {});
  EXPECT_EQ(out, merged);
  const std::vector<int> offsets{0, 3, 6};
  a = {1, 2, 3, 1, 2, 3};
  gpusort::multiway_merge(policy, a.begin(), offsets.begin(), offsets.end(), out.begin(), {});
  EXPECT_EQ(out, merged);
  a = {3, 1, 2, 3, 2, 1};
  gpusort::segmented_sort(policy, a.begin(), a.end(), offsets.begin(), offsets.end(), {});
  EXPECT_EQ(a, (std::vector<int>{1, 2, 3, 1, 2, 3}));
}

struct volume_of {
  GPUSORT_HOST_DEVICE std::int32_t operator()(const trade& t) const { return t.volume; }
};

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of 1 to 1024 ranks: order, stability, counts, and permutations under any comparator.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "ranks.hpp"

namespace kit {
namespace {

using stable_record = record<16>;

std::vector<std::size_t> numbers_of_ranks() {
  if (small_sizes_only()) return {1, 2, 3, 8, 64};
  return {1, 2, 3, 4, 8, 16, 64, 128};
}

/// Sorts all ranks' elements stably and compares with the stable order of all of them.
template <class T, class Compare>
void expect_sorted(const column<T>& in, const std::vector<std::size_t>& starts, Compare compare,
                   promise promised = promise::stability) {
  column<T> out = in;
  distributed::in_process world(starts.size() - 1);
  distributed::stable_sort(world, gpusort::par_gpu, ranges_of(out, starts), compare);
  const findings f = examine(in, out, reference<Compare>::of(compare), promised);
  EXPECT_TRUE(f.ok()) << f << starts.size() - 1 << " ranks, " << in.size() << " elements";
  EXPECT_LE(world.sent().rounds, 6u);
}

TEST(distributed_sort, every_distribution) {
  for (const std::size_t p : numbers_of_ranks()) {
    for (const distribution d : every_distribution) {
      const std::size_t n = p * 150 + 7;
      SCOPED_TRACE(d);
      expect_sorted(generate<stable_record>(d, n, seed()), starts_of(spread::even, n, p, seed()),
                    opaque(behavior::honest));
    }
  }
}

TEST(distributed_sort, every_spread) {
  for (const std::size_t p : numbers_of_ranks()) {
    for (const spread s : every_spread) {
      SCOPED_TRACE(s);
      const std::size_t n = p * 100 + 13;
      const auto starts = starts_of(s, n, p, seed());
      for (const auto d : {distribution::uniform, distribution::sorted, distribution::all_equal}) {
        expect_sorted(generate<stable_record>(d, n, seed()), starts, opaque(behavior::coarse));
      }
      expect_sorted(zipf<stable_record>(n, seed()), starts, opaque(behavior::honest));
      expect_sorted(shared_prefixes<stable_record>(n, seed()), starts, opaque(behavior::honest));
    }
  }
}

TEST(distributed_sort, few_elements) {
  for (const std::size_t p : {1, 2, 3, 5, 16, 100}) {
    for (const std::size_t n : {0, 1, 2, 3, 15, 16, 17, 40}) {
      for (const spread s : every_spread) {
        expect_sorted(generate<stable_record>(distribution::few_distinct, n, seed()),
                      starts_of(s, n, p, seed()), opaque(behavior::honest));
      }
    }
  }
}

TEST(distributed_sort, many_elements_of_few_ranks) {
  const std::size_t n = small_sizes_only() ? 40000 : 400000;
  for (const std::size_t p : {2, 3, 7}) {
    for (const auto d : {distribution::uniform, distribution::all_equal, distribution::reverse,
                         distribution::staggered, distribution::organ_pipe}) {
      expect_sorted(generate<std::uint32_t>(d, n, seed()), starts_of(spread::uneven, n, p, seed()),
                    gpusort::less{}, promise::order);
    }
    expect_sorted(zipf<std::uint64_t>(n, seed()), starts_of(spread::one_has_all, n, p, seed()),
                  gpusort::greater{}, promise::order);
  }
}

TEST(distributed_sort, a_thousand_ranks) {
  if (small_sizes_only()) GTEST_SKIP();
  const std::size_t p = 1024;
  expect_sorted(generate<stable_record>(distribution::uniform, 500, seed()),
                starts_of(spread::uneven, 500, p, seed()), opaque(behavior::honest));
  const std::size_t n = 30 * p;
  expect_sorted(generate<stable_record>(distribution::all_equal, n, seed()),
                starts_of(spread::even, n, p, seed()), opaque(behavior::honest));
  expect_sorted(zipf<stable_record>(n, seed()), starts_of(spread::one_has_all, n, p, seed()),
                opaque(behavior::honest));
  expect_sorted(shared_prefixes<stable_record>(n, seed()), starts_of(spread::uneven, n, p, seed()),
                opaque(behavior::honest));
}

TEST(distributed_sort, elements_of_all_kinds) {
  const std::size_t n = 3000, p = 5;
  const auto starts = starts_of(spread::uneven, n, p, seed());
  expect_sorted(generate<std::uint8_t>(distribution::uniform, n, seed()), starts, gpusort::less{});
  expect_sorted(generate<std::int16_t>(distribution::uniform, n, seed()), starts,
                gpusort::greater{});
  expect_sorted(generate<double>(distribution::special, n, seed()), starts, gpusort::less{});
  expect_sorted(generate<record<100, 1>>(distribution::uniform, n, seed()), starts,
                opaque(behavior::honest));
  expect_sorted(generate<record<12, 4>>(distribution::few_distinct, n, seed()), starts,
                opaque(behavior::descending));
}

TEST(distributed_sort, pairs_tuples_and_projections) {
  std::vector<std::pair<int, float>> pairs;
  for (std::size_t i = 0; i < 1000; ++i) {
    pairs.emplace_back(static_cast<int>(random_at(seed(), i) % 10), static_cast<float>(i));
  }
  auto expected = pairs;
  std::sort(expected.begin(), expected.end());
  using iterator = std::vector<std::pair<int, float>>::iterator;
  const auto split = [&] {
    return std::vector<distributed::rank_range<iterator>>{{pairs.begin(), pairs.begin() + 300},
                                                          {pairs.begin() + 300, pairs.end()}};
  };
  distributed::in_process world(2);
  distributed::sort(world, gpusort::par_gpu, split());
  EXPECT_EQ(pairs, expected);
  distributed::stable_sort(world, gpusort::par_gpu, split(), std::greater<>{},
                           &std::pair<int, float>::second);
  std::sort(expected.begin(), expected.end(), [](auto& a, auto& b) { return a.second > b.second; });
  EXPECT_EQ(pairs, expected);
}

TEST(distributed_sort, keys_with_values) {
  for (const std::size_t p : {1, 2, 9, 64}) {
    const std::size_t n = p * 200 + 5;
    const auto starts = starts_of(spread::uneven, n, p, seed());
    const auto in = generate<std::uint16_t>(distribution::few_distinct, n, seed());
    auto keys = in;
    std::vector<std::uint64_t> values(n);
    std::iota(values.begin(), values.end(), 0);
    std::vector<std::uint64_t*> value_ranges;
    for (std::size_t i = 0; i < p; ++i) value_ranges.push_back(values.data() + starts[i]);
    distributed::in_process world(p);
    distributed::stable_sort_by_key(world, gpusort::par_gpu, ranges_of(keys, starts), value_ranges);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(keys[i], in[values[i]]);
      if (i == 0) continue;
      ASSERT_LE(keys[i - 1], keys[i]);
      if (keys[i - 1] == keys[i]) {
        ASSERT_LT(values[i - 1], values[i]) << p;
      }
    }
  }
}

TEST(distributed_sort, balanced_counts) {
  for (const std::size_t p : {1, 2, 3, 16, 64, 200}) {
    for (const spread s : every_spread) {
      for (const std::size_t n : {std::size_t{0}, p / 2, p * 50 + p / 3}) {
        const auto in = generate<stable_record>(distribution::few_distinct, n, seed());
        const auto starts = starts_of(s, n, p, seed());
        std::vector<std::vector<stable_record>> parts(p);
        for (std::size_t i = 0; i < p; ++i) {
          parts[i].assign(in.begin() + starts[i], in.begin() + starts[i + 1]);
        }
        distributed::in_process world(p);
        const auto offsets =
            distributed::sort_balanced(world, gpusort::par_gpu, parts, opaque(behavior::honest));
        column<stable_record> out(n);
        std::size_t at = 0;
        for (std::size_t i = 0; i < p; ++i) {
          ASSERT_EQ(offsets[i], at);
          ASSERT_EQ(parts[i].size(), n / p + (i < n % p ? 1 : 0)) << i << " of " << p;
          std::copy(parts[i].begin(), parts[i].end(), out.begin() + at);
          at += parts[i].size();
        }
        const findings f = examine(in, out, opaque(behavior::honest), promise::stability);
        EXPECT_TRUE(f.ok()) << f << p << ' ' << n << ' ' << s;
      }
    }
  }
}

TEST(distributed_sort, is_a_permutation_for_any_comparator) {
  for (const std::size_t p : {1, 2, 3, 16, 64}) {
    for (const behavior b : every_inconsistent_comparator) {
      for (const spread s : {spread::even, spread::one_has_all, spread::every_other_is_empty}) {
        for (const std::size_t n : {p + 3, 700 * p}) {
          const auto in = generate<stable_record>(distribution::uniform, n, seed());
          auto out = in;
          const auto starts = starts_of(s, n, p, seed());
          distributed::in_process world(p);
          distributed::sort(world, gpusort::par_gpu, ranges_of(out, starts), opaque(b, seed()));
          EXPECT_TRUE(same_multiset(in, out)) << name_of(b) << ' ' << p << ' ' << n;
          EXPECT_LE(world.sent().rounds, 6u);
        }
      }
    }
  }
}

TEST(distributed_sort, balanced_counts_are_exact_for_any_comparator) {
  const std::size_t p = 7, n = 3001;
  for (const behavior b : every_inconsistent_comparator) {
    const auto in = generate<stable_record>(distribution::uniform, n, seed());
    const auto starts = starts_of(spread::last_has_half, n, p, seed());
    std::vector<std::vector<stable_record>> parts(p);
    for (std::size_t i = 0; i < p; ++i) {
      parts[i].assign(in.begin() + starts[i], in.begin() + starts[i + 1]);
    }
    distributed::in_process world(p);
    distributed::sort_balanced(world, gpusort::par_gpu, parts, opaque(b, seed()));
    column<stable_record> out(n);
    auto* to = out.begin();
    for (std::size_t i = 0; i < p; ++i) {
      ASSERT_EQ(parts[i].size(), n / p + (i < n % p ? 1 : 0)) << name_of(b);
      to = std::copy(parts[i].begin(), parts[i].end(), to);
    }
    EXPECT_TRUE(same_multiset(in, out)) << name_of(b);
  }
}

TEST(distributed_sort, nans_under_a_plain_comparison_are_not_lost) {
  const std::size_t p = 11, n = 5000;
  const auto in = generate<double>(distribution::special, n, seed());
  auto out = in;
  distributed::in_process world(p);
  distributed::sort(world, gpusort::par_gpu, ranges_of(out, starts_of(spread::even, n, p, seed())),
                    [](double a, double b) { return a < b; });
  EXPECT_TRUE(same_multiset(in, out));
}

TEST(distributed_sort, sends_nothing_where_all_is_in_order) {
  const std::size_t p = 16, n = 16000;
  for (const auto d : {distribution::sorted, distribution::all_equal}) {
    auto out = generate<std::uint64_t>(d, n, seed());
    distributed::in_process world(p);
    distributed::sort(world, gpusort::par_gpu,
                      ranges_of(out, starts_of(spread::even, n, p, seed())));
    for (const std::uint64_t bytes : world.sent().element_bytes) EXPECT_EQ(bytes, 0u);
  }
}

}  // namespace
}  // namespace kit

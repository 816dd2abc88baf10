// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a sort of many ranks is made of, as calls of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "ranks.hpp"

namespace kit {
namespace {

TEST(distributed_primitives, is_sorted_sees_every_place) {
  for (const std::size_t p : {1, 2, 3, 17}) {
    for (const spread s : every_spread) {
      const std::size_t n = 40;
      const auto starts = starts_of(s, n, p, seed());
      auto keys = generate<std::uint32_t>(distribution::sorted, n, seed());
      distributed::in_process world(p);
      EXPECT_TRUE(distributed::is_sorted(world, gpusort::par_gpu, ranges_of(keys, starts)));
      for (std::size_t i = 1; i < n; ++i) {
        std::swap(keys[i - 1], keys[i]);
        EXPECT_FALSE(distributed::is_sorted(world, gpusort::par_gpu, ranges_of(keys, starts)));
        std::swap(keys[i - 1], keys[i]);
      }
      EXPECT_FALSE(distributed::is_sorted(world, gpusort::par_gpu, ranges_of(keys, starts),
                                          gpusort::greater{}));
      auto equal = generate<std::uint32_t>(distribution::all_equal, n, seed());
      EXPECT_TRUE(distributed::is_sorted(world, gpusort::par_gpu, ranges_of(equal, starts),
                                         gpusort::greater{}));
    }
  }
}

TEST(distributed_primitives, select_gives_the_elements_of_all_ranks) {
  for (const std::size_t p : {1, 2, 3, 16, 64}) {
    for (const spread s : every_spread) {
      for (const auto d : {distribution::uniform, distribution::few_distinct}) {
        const std::size_t n = p * 70 + 3;
        auto keys = generate<std::uint32_t>(d, n, seed());
        auto sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        std::vector<std::uint64_t> ranks(n);
        std::iota(ranks.begin(), ranks.end(), 0);
        if (p > 16) ranks = {n - 1, 0, n / 2, n / 2, 1, n / 3};
        std::reverse(ranks.begin(), ranks.end());
        distributed::in_process world(p);
        const auto starts = starts_of(s, n, p, seed());
        const auto chosen =
            distributed::select(world, gpusort::par_gpu, ranges_of(keys, starts), ranks);
        ASSERT_EQ(chosen.size(), ranks.size());
        for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(chosen[i], sorted[ranks[i]]);
        EXPECT_THROW(distributed::select(world, gpusort::par_gpu, ranges_of(keys, starts), {0, n}),
                     std::invalid_argument);
        EXPECT_TRUE(
            distributed::select(world, gpusort::par_gpu, ranges_of(keys, starts), {}).empty());
      }
    }
  }
}

/// An element that begins with a value, as there is no other constructor.
struct made_of {
  explicit made_of(int v) : value(v) {}
  bool operator<(const made_of& other) const { return value < other.value; }

  int value;
};

TEST(distributed_primitives, elements_need_no_default_constructor) {
  std::vector<std::vector<made_of>> parts(3);
  for (int i = 0; i < 500; ++i) parts[0].emplace_back(i * 77 % 500);
  const auto ranges = [&] {
    std::vector<distributed::rank_range<made_of*>> all;
    for (auto& part : parts) all.push_back({part.data(), part.data() + part.size()});
    return all;
  };
  distributed::in_process world(3);
  EXPECT_EQ(distributed::sample(world, gpusort::par_gpu, ranges(), 1)[0].value, 0);
  const auto chosen = distributed::select(world, gpusort::par_gpu, ranges(), {499, 3});
  EXPECT_EQ(chosen[0].value, 499);
  EXPECT_EQ(chosen[1].value, 3);
  distributed::sort_balanced(world, gpusort::par_gpu, parts, gpusort::greater{});
  int expected = 500;
  for (const auto& part : parts) {
    EXPECT_LE(part.size() - 166, 1u);
    for (const made_of& e : part) EXPECT_EQ(e.value, --expected);
  }
}

TEST(distributed_primitives, of_bool) {
  bool values[] = {true, false, true, false, true};
  distributed::in_process world(2);
  const std::vector<distributed::rank_range<bool*>> ranges{{values, values + 2},
                                                           {values + 2, values + 5}};
  EXPECT_EQ(distributed::select(world, gpusort::par_gpu, ranges, {1, 2}),
            (std::vector<bool>{false, true}));
  EXPECT_EQ(distributed::sample(world, gpusort::par_gpu, ranges, 2).size(), 4u);
}

TEST(distributed_primitives, sample_is_of_every_rank) {
  const std::size_t p = 4;
  std::vector<std::vector<int>> parts = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {}, {5, 3}, {7, 8, 9, 1}};
  std::vector<distributed::rank_range<int*>> ranges;
  for (auto& part : parts) ranges.push_back({part.data(), part.data() + part.size()});
  distributed::in_process world(p);
  EXPECT_EQ(distributed::sample(world, gpusort::par_gpu, ranges, 3),
            (std::vector<int>{1, 5, 9, 5, 3, 7, 8, 1}));
  EXPECT_TRUE(distributed::sample(world, gpusort::par_gpu, ranges, 0).empty());
}

TEST(distributed_primitives, offsets_of_the_ranks_fit_each_other) {
  for (const std::size_t p : {1, 2, 5, 33}) {
    for (const spread s : every_spread) {
      const std::size_t n = p * 90 + 1;
      const auto in = generate<record<16>>(distribution::few_distinct, n, seed());
      auto keys = in;
      const auto starts = starts_of(s, n, p, seed());
      distributed::in_process world(p);
      const auto offsets = distributed::select_splitters(
          world, gpusort::par_gpu, ranges_of(keys, starts), opaque(behavior::honest));
      column<record<16>> out(n);
      for (std::size_t to = 0; to < p; ++to) {
        auto* at = out.begin() + starts[to];
        for (std::size_t from = 0; from < p; ++from) {
          const auto begin = offsets[from].send[to], end = offsets[from].send[to + 1];
          ASSERT_EQ(end - begin, offsets[to].receive[from + 1] - offsets[to].receive[from]);
          at =
              std::copy(keys.begin() + starts[from] + begin, keys.begin() + starts[from] + end, at);
        }
        ASSERT_EQ(at, out.begin() + starts[to + 1]);
        std::stable_sort(out.begin() + starts[to], at, opaque(behavior::honest));
      }
      const findings f = examine(in, out, opaque(behavior::honest), promise::stability);
      EXPECT_TRUE(f.ok()) << f << p << ' ' << s;
    }
  }
}

TEST(distributed_primitives, partition_divides_by_splitters) {
  for (const std::size_t n : {0, 1, 2, 63, 64, 65, 1000, 70000}) {
    for (const auto d : {distribution::uniform, distribution::few_distinct}) {
      auto keys = generate<std::uint16_t>(d, n, seed());
      auto sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      for (const std::size_t k : {0, 1, 3, 100}) {
        std::vector<std::uint16_t> splitters(k);
        for (std::size_t j = 0; j < k; ++j) {
          splitters[j] = n > 0 && j % 2 == 0 ? sorted[j * n / (k + 1)]
                                             : static_cast<std::uint16_t>(random_at(seed(), j));
        }
        std::sort(splitters.begin(), splitters.end());
        const auto offsets =
            distributed::partition(gpusort::par_gpu, keys.begin(), keys.end(), splitters);
        ASSERT_EQ(offsets.size(), k + 2);
        EXPECT_EQ(offsets[0], 0u);
        EXPECT_EQ(offsets[k + 1], n);
        for (std::size_t j = 0; j < k; ++j) {
          const auto* const at = std::lower_bound(sorted.begin(), sorted.end(), splitters[j]);
          EXPECT_EQ(offsets[j + 1], static_cast<std::uint64_t>(at - sorted.begin()))
              << n << ' ' << j;
        }
      }
    }
  }
}

TEST(distributed_primitives, partition_ends_for_any_comparator) {
  for (const behavior b : every_inconsistent_comparator) {
    const auto in = generate<record<16>>(distribution::uniform, 3000, seed());
    auto out = in;
    const std::vector<record<16>> splitters(in.begin(), in.begin() + 20);
    const auto offsets = distributed::partition(gpusort::par_gpu, out.begin(), out.end(), splitters,
                                                opaque(b, seed()));
    EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
    EXPECT_EQ(offsets.back(), 3000u);
    EXPECT_TRUE(same_multiset(in, out));
  }
}

}  // namespace
}  // namespace kit

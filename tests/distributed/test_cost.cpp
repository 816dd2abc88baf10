// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sorts of many ranks send and hold, against what is promised and predicted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "ranks.hpp"

namespace kit {
namespace {

/// Sorts p ranks of n random keys and compares what the rank in the middle has sent with the
/// prediction.
template <class T>
void expect_predicted(std::size_t p, std::size_t n) {
  auto keys = generate<T>(distribution::uniform, p * n, seed());
  const auto starts = starts_of(spread::even, p * n, p, seed());
  distributed::in_process world(p);
  distributed::sort(world, gpusort::par_gpu, ranges_of(keys, starts));
  EXPECT_EQ(first_disorder(keys, gpusort::less{}), keys.size());
  const auto expected = distributed::predict(p, n, sizeof(T));
  const double all = static_cast<double>(expected.element_bytes + expected.selection_bytes);
  const auto& sent = world.sent();
  double total = 0;
  for (std::size_t i = 0; i < p; ++i) {
    const auto bytes = static_cast<double>(sent.element_bytes[i] + sent.other_bytes[i]);
    EXPECT_NEAR(bytes, all, 0.02 * all) << "rank " << i << " of " << p;
    total += bytes;
  }
  std::printf("%zu ranks of %zu: %zu rounds, %.0f bytes each, predicted %.0f\n", p, n, sent.rounds,
              total / static_cast<double>(p), all);
  EXPECT_EQ(sent.rounds, expected.rounds);
  EXPECT_LE(sent.rounds, 6u);
}

TEST(distributed_cost, bytes_are_those_of_the_formula) {
  expect_predicted<std::uint32_t>(2, 1 << 20);
  expect_predicted<std::uint32_t>(8, 1 << 18);
  expect_predicted<std::uint64_t>(64, 1 << 15);
  expect_predicted<std::uint32_t>(256, 1 << 13);
  expect_predicted<std::uint64_t>(256, 1 << 11);
}

// Takes minutes and 9 GB: GPUSORT_TEST_LARGE=1.
TEST(distributed_cost, bytes_of_a_thousand_ranks_of_a_million_elements) {
  if (std::getenv("GPUSORT_TEST_LARGE") == nullptr) GTEST_SKIP();
  expect_predicted<std::uint32_t>(1024, 1 << 20);
}

/// Exact counts after few rounds.
void expect_few_rounds(column<std::uint32_t> keys, spread s, std::size_t p) {
  distributed::in_process world(p);
  const auto ranges = ranges_of(keys, starts_of(s, keys.size(), p, seed()));
  const auto offsets = distributed::select_splitters(world, gpusort::par_gpu, ranges);
  EXPECT_LE(world.sent().rounds, 5u) << s;
  for (std::size_t i = 0; i < p; ++i) {
    const auto count = static_cast<std::uint64_t>(ranges[i].second - ranges[i].first);
    EXPECT_EQ(offsets[i].send[p], count);
    EXPECT_EQ(offsets[i].receive[p], count);
  }
}

TEST(distributed_cost, rounds_are_few_whatever_the_skew) {
  for (const spread s : every_spread) {
    for (const distribution d : every_distribution) {
      SCOPED_TRACE(d);
      expect_few_rounds(generate<std::uint32_t>(d, 64000, seed()), s, 64);
    }
    expect_few_rounds(zipf<std::uint32_t>(256000, seed()), s, 256);
    expect_few_rounds(shared_prefixes<std::uint32_t>(256000, seed()), s, 256);
  }
}

TEST(distributed_cost, memory_is_the_range_once_more) {
  const std::size_t p = 16, n = std::size_t{1} << 22;
  auto keys = generate<std::uint64_t>(distribution::uniform, n, seed());
  const auto starts = starts_of(spread::uneven, n, p, seed());
  distributed::in_process world(p);
  const auto ranges = ranges_of(keys, starts);
  const watched_allocations watch;
  distributed::sort(world, gpusort::par_gpu, ranges);
  const auto bytes = static_cast<double>(n * sizeof(std::uint64_t));
  // Of all ranks together; 1 MB is the tile that a merge has in the cache.
  EXPECT_LE(static_cast<double>(watch.peak()), 1.02 * bytes + (1 << 20) + 4096);
  EXPECT_GE(static_cast<double>(watch.peak()), 1.0 * bytes);
}

}  // namespace
}  // namespace kit

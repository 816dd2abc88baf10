// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sorts of many ranks send and hold, against what is promised and predicted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "ranks.hpp"

namespace kit {
namespace {

namespace internal = gpusort::detail::distributed;

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

/// Expects exact counts after few rounds.
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

/// A rank whose sorted elements are computed: number i of rank r is (i / run) * p * run + r * run +
/// i % run, so that runs of the ranks alternate.
class computed_rank {
 public:
  using key_type = std::uint64_t;
  static constexpr std::size_t columns = 1;
  static constexpr bool is_on_device = false;
  static constexpr std::size_t element_bytes(std::size_t) { return sizeof(key_type); }

  computed_rank(std::uint64_t n, std::uint64_t p, std::uint64_t rank, std::uint64_t run)
      : n_(n), p_(p), rank_(rank), run_(run) {}

  std::uint64_t n() const { return n_; }
  void sort(bool) {}
  void sample(const internal::window* windows, std::size_t k, void* samples) const {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::uint64_t t = 0; t < windows[j].count; ++t) {
        const std::uint64_t i = windows[j].position(t);
        static_cast<key_type*>(samples)[windows[j].first + t] =
            i / run_ * p_ * run_ + rank_ * run_ + i % run_;
      }
    }
  }
  void order(const void* samples, std::size_t count, std::uint32_t* indices) const {
    host::argsort(static_cast<const key_type*>(samples), count, indices, std::less<>());
  }
  void prepare(std::uint64_t) {}
  void* data(std::size_t) { return nullptr; }
  void* receive_buffer(std::size_t) { return nullptr; }
  void merge(const std::uint64_t*, std::size_t) {}
  void settle() {}
  void finish(std::uint64_t) {}

 private:
  std::uint64_t n_;
  std::uint64_t p_;
  std::uint64_t rank_;
  std::uint64_t run_;
};

/// Finds the cuts of p such ranks of n elements, compares them with the computed ones, and gives
/// the number of rounds.
std::size_t rounds_of_computed(std::uint64_t p, std::uint64_t n, std::uint64_t run) {
  using state = internal::sort_rank<computed_rank>;
  std::vector<computed_rank> locals;
  for (std::uint64_t r = 0; r < p; ++r) locals.emplace_back(n, p, r, run);
  std::vector<std::unique_ptr<state>> states;
  std::vector<state*> ranks;
  for (std::size_t r = 0; r < p; ++r) {
    states.push_back(std::make_unique<state>(r, p, locals[r], internal::header(), true,
                                             internal::shares::kept, false));
    ranks.push_back(states.back().get());
  }
  distributed::in_process world(p);
  world.run(ranks);
  for (std::uint64_t r = 0; r < p; ++r) {
    ranks[r]->rethrow();
    for (std::uint64_t j = 0; j <= p; ++j) {
      const std::uint64_t first = j * n;  // before the cut; rank r has, of these:
      const std::uint64_t rest = first % (p * run);
      const std::uint64_t expected =
          first / (p * run) * run + std::min(run, rest - std::min(rest, r * run));
      EXPECT_EQ(ranks[r]->send_offsets()[j], j == p ? n : expected) << r << ' ' << j;
    }
  }
  return world.sent().rounds;
}

TEST(distributed_cost, cuts_of_more_elements_than_there_is_memory_for) {
  for (const std::uint64_t p : {2, 8, 64}) {
    for (const std::uint64_t run : {1ull, 1000ull, 1ull << 38}) {
      EXPECT_LE(rounds_of_computed(p, std::uint64_t{1} << 40, run), 7u) << p << ' ' << run;
    }
  }
}

TEST(distributed_cost, rounds_of_a_thousand_ranks_of_a_million_elements) {
  if (small_sizes_only()) GTEST_SKIP();
  // A quarter of each rank's elements lie between those of two others: as bad as it gets.
  EXPECT_LE(rounds_of_computed(1024, std::uint64_t{1} << 20, std::uint64_t{1} << 18), 6u);
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
  // All ranks together; 1 MB is the tile that a merge has in the cache.
  EXPECT_LE(static_cast<double>(watch.peak()), 1.02 * bytes + (1 << 20) + 4096);
  EXPECT_GE(static_cast<double>(watch.peak()), 1.0 * bytes);
}

TEST(distributed_cost, memory_of_a_selection_does_not_grow_with_its_targets) {
  const std::size_t p = 2, n = 40000;
  const auto in = generate<std::uint64_t>(distribution::uniform, n, seed());
  auto sorted = in;
  std::sort(sorted.begin(), sorted.end());
  const auto starts = starts_of(spread::even, n, p, seed());
  for (const std::size_t targets : {1, 100, 1000, 3000}) {
    auto keys = in;
    std::vector<std::uint64_t> ranks(targets);
    for (std::size_t j = 0; j < targets; ++j) ranks[j] = (j * 7919) % n;
    distributed::in_process world(p);
    const auto ranges = ranges_of(keys, starts);
    const watched_allocations watch;
    const auto chosen = distributed::select(world, gpusort::par_gpu, ranges, ranks);
    const auto own = static_cast<double>(watch.peak()) / static_cast<double>(p);
    for (std::size_t j = 0; j < targets; ++j) ASSERT_EQ(chosen[j], sorted[ranks[j]]);
    // As documented: some times 8192 elements, and for each target the element and its rank.
    EXPECT_LE(own, 8 * 8192 * sizeof(std::uint64_t) + targets * 2 * sizeof(std::uint64_t));
  }
}

}  // namespace
}  // namespace kit

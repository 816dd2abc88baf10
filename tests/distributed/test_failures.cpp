// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank fails, or ranks disagree: all of them say the same, and keep their elements.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ranks.hpp"

namespace kit {
namespace {

namespace internal = gpusort::detail::distributed;

using element = record<16>;
using local = internal::host_local<throwing<opaque>, element>;
using state = internal::sort_rank<local>;

/// Ranks whose comparators count their calls, each for itself, and throw when they should.
class failing_world {
 public:
  failing_world(std::size_t n, std::size_t p)
      : starts_(starts_of(spread::uneven, n, p, seed())),
        in_(generate<element>(distribution::uniform, n, seed())),
        calls_(p) {}

  /// Sorts; rank r throws at its call k. Gives the texts that the ranks throw, "" where none is.
  std::vector<std::string> sort(std::size_t r, long long k) {
    out_ = in_;
    const std::size_t p = calls_.size();
    std::vector<std::unique_ptr<local>> locals;
    std::vector<std::unique_ptr<state>> states;
    std::vector<state*> ranks;
    for (std::size_t i = 0; i < p; ++i) {
      calls_[i] = 0;
      const throwing<opaque> compare(opaque(behavior::honest), calls_[i], i == r ? k : (1ll << 60));
      locals.push_back(
          std::make_unique<local>(compare, starts_[i + 1] - starts_[i], out_.data() + starts_[i]));
      states.push_back(std::make_unique<state>(i, p, *locals[i], internal::header(), true,
                                               internal::shares::kept));
      ranks.push_back(states[i].get());
    }
    distributed::in_process world(p);
    world.run(ranks);
    std::vector<std::string> thrown(p);
    for (std::size_t i = 0; i < p; ++i) {
      try {
        ranks[i]->rethrow();
      } catch (const gpusort::rank_error& e) {
        EXPECT_EQ(e.rank(), r);
        thrown[i] = e.what();
      }
    }
    return thrown;
  }

  long long calls_of(std::size_t rank) const { return calls_[rank]; }
  std::size_t count_of(std::size_t rank) const { return starts_[rank + 1] - starts_[rank]; }
  bool keeps_elements() const { return are_own_permutations(in_, out_, starts_); }
  bool is_sorted() const {
    return examine(in_, out_, opaque(behavior::honest), promise::stability).ok();
  }

 private:
  std::vector<std::size_t> starts_;
  column<element> in_;
  column<element> out_;
  std::vector<std::atomic<long long>> calls_;
};

TEST(distributed_failures, a_comparator_throws_on_any_rank_at_any_time) {
  for (const std::size_t p : {1, 2, 3, 16}) {
    failing_world world(p * 60, p);
    for (const std::size_t r : {std::size_t{0}, p / 2, p - 1}) {
      for (const std::string& text : world.sort(r, 1ll << 60)) EXPECT_EQ(text, "");
      EXPECT_TRUE(world.is_sorted());
      const long long all = world.calls_of(r);
      for (long long k = 0; k < all; k += 1 + k / 8) {
        const auto thrown = world.sort(r, k);
        EXPECT_NE(thrown[0], "") << k;
        EXPECT_NE(thrown[0].find("rank " + std::to_string(r)), std::string::npos) << thrown[0];
        for (const std::string& text : thrown) EXPECT_EQ(text, thrown[0]);
        ASSERT_TRUE(world.keeps_elements()) << k << " of " << all << ", rank " << r << " of " << p;
      }
      if (all == 0) continue;
      world.sort(r, all - 1);  // while it merges
      ASSERT_TRUE(world.keeps_elements());
    }
  }
}

TEST(distributed_failures, memory_is_short_anywhere) {
  const std::size_t p = 6, n = 900;
  const auto in = generate<element>(distribution::uniform, n, seed());
  const auto starts = starts_of(spread::uneven, n, p, seed());
  long made = 0;
  {
    auto out = in;
    distributed::in_process world(p);
    const failing_allocations none(0, 0);
    distributed::sort(world, gpusort::par_gpu, ranges_of(out, starts), opaque(behavior::honest));
    made = failing_allocations::made();
  }
  int thrown = 0;
  for (long k = 0; k < made; ++k) {
    auto out = in;
    distributed::in_process world(p);
    bool has_thrown = false;
    try {
      const failing_allocations one(k, k + 1);
      distributed::sort(world, gpusort::par_gpu, ranges_of(out, starts), opaque(behavior::honest));
    } catch (const gpusort::out_of_memory& e) {
      has_thrown = true;
      EXPECT_NE(std::string(e.what()).find("on rank"), std::string::npos) << e.what();
    }
    thrown += has_thrown;
    if (has_thrown) {
      ASSERT_TRUE(are_own_permutations(in, out, starts)) << k;
    } else {
      EXPECT_TRUE(examine(in, out, opaque(behavior::honest), promise::stability).ok()) << k;
    }
  }
  EXPECT_GT(thrown, 0);
}

TEST(distributed_failures, a_vector_that_cannot_grow_is_as_it_was) {
  const std::size_t p = 4;
  std::vector<std::vector<int>> parts(p);
  for (int i = 0; i < 1000; ++i) parts[1].push_back(1000 - i);
  const auto before = parts;
  std::atomic<int> calls{0};
  const auto throws_at_the_end = [&](int a, int b) {
    if (++calls == 1 << 30) throw bomb();
    return a < b;
  };
  distributed::in_process world(p);
  distributed::sort_balanced(world, gpusort::par_gpu, parts, throws_at_the_end);
  EXPECT_EQ(parts[0][0], 1);
  const int all = calls;
  for (int k = 1; k <= all; k += 1 + k / 16) {
    parts = before;
    calls = (1 << 30) - k;
    EXPECT_THROW(distributed::sort_balanced(world, gpusort::par_gpu, parts, throws_at_the_end),
                 gpusort::rank_error);
    for (std::size_t i = 0; i < p; ++i) ASSERT_EQ(parts[i].size(), before[i].size());
    std::sort(parts[1].begin(), parts[1].end());
    ASSERT_EQ(parts[1].front(), 1);
    ASSERT_EQ(parts[1].back(), 1000);
    ASSERT_EQ(std::unique(parts[1].begin(), parts[1].end()), parts[1].end());
  }
}

/// Returns the errors of ranks that tell different things of themselves.
std::vector<std::string> refused(const std::vector<internal::header>& headers,
                                 const std::vector<bool>& is_stable) {
  using plain = internal::host_local<gpusort::less, int>;
  const std::size_t p = headers.size();
  std::vector<std::vector<int>> elements(p, {3, 2, 1});
  std::vector<std::unique_ptr<plain>> locals;
  std::vector<std::unique_ptr<internal::sort_rank<plain>>> states;
  std::vector<internal::sort_rank<plain>*> ranks;
  for (std::size_t i = 0; i < p; ++i) {
    locals.push_back(std::make_unique<plain>(gpusort::less{}, 3, elements[i].data()));
    states.push_back(std::make_unique<internal::sort_rank<plain>>(
        i, p, *locals[i], headers[i], is_stable[i], internal::shares::kept));
    ranks.push_back(states[i].get());
  }
  distributed::in_process world(p);
  world.run(ranks);
  std::vector<std::string> texts(p);
  for (std::size_t i = 0; i < p; ++i) {
    try {
      ranks[i]->rethrow();
    } catch (const std::invalid_argument& e) {
      texts[i] = e.what();
    }
    EXPECT_EQ(elements[i], (std::vector<int>{3, 2, 1})) << "moved";
  }
  return texts;
}

void expect_all(const std::vector<std::string>& texts, const char* what) {
  for (const std::string& text : texts) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
    EXPECT_NE(text.find("ranks 0 and 2"), std::string::npos) << text;
  }
}

TEST(distributed_failures, ranks_that_disagree_are_told_so) {
  std::vector<internal::header> headers(4);
  headers[2].types = 1;
  expect_all(refused(headers, {true, true, true, true}), "types");
  headers.assign(4, {});
  headers[2].element_bytes = 8;
  expect_all(refused(headers, {true, true, true, true}), "types");
  headers.assign(4, {});
  headers[2].order = 1;
  expect_all(refused(headers, {true, true, true, true}), "comparators");
  headers.assign(4, {});
  expect_all(refused(headers, {true, true, false, true}), "stable");
}

TEST(distributed_failures, arguments_that_make_no_sense) {
  std::vector<int> v = {2, 1};
  using range = distributed::rank_range<int*>;
  distributed::in_process none(0), two(2);
  EXPECT_THROW(distributed::sort(none, gpusort::par_gpu, std::vector<range>()),
               std::invalid_argument);
  EXPECT_THROW(distributed::sort(two, gpusort::par_gpu, std::vector<range>(1)),
               std::invalid_argument);
  EXPECT_THROW(
      distributed::sort(two, gpusort::par_gpu,
                        std::vector<range>{{v.data(), v.data() + 2}, {v.data() + 2, v.data()}}),
      std::invalid_argument);
  EXPECT_THROW(distributed::in_process(1025), std::invalid_argument);
  EXPECT_EQ(v, (std::vector<int>{2, 1}));
}

/// A communicator of one rank, as a user would write it.
struct alone {
  int ranks = 1;
  bool is_aborted = false;

  int rank() const { return 0; }
  int size() const { return ranks; }
  void allgather(const void* send, void* receive, std::size_t bytes) {
    std::memcpy(receive, send, bytes);
  }
  void alltoallv(const void* send, const std::uint64_t* send_offsets, void* receive,
                 const std::uint64_t* receive_offsets, bool) {
    std::memcpy(static_cast<char*>(receive) + receive_offsets[0],
                static_cast<const char*>(send) + send_offsets[0],
                send_offsets[1] - send_offsets[0]);
  }
  void abort() { is_aborted = true; }
};

struct broken : alone {
  void allgather(const void*, void*, std::size_t) { throw std::runtime_error("the line is cut"); }
};

TEST(distributed_failures, of_a_communicator) {
  std::vector<int> v = {3, 1, 2};
  alone empty;
  empty.ranks = 0;
  EXPECT_THROW(distributed::sort(empty, gpusort::par_gpu, v.begin(), v.end()),
               std::invalid_argument);
  broken cut;
  EXPECT_THROW(distributed::sort(cut, gpusort::par_gpu, v.begin(), v.end()), std::runtime_error);
  EXPECT_TRUE(cut.is_aborted);
  EXPECT_EQ(v, (std::vector<int>{3, 1, 2}));
  alone one;
  EXPECT_THROW(distributed::sort(one, gpusort::par_gpu, v.end(), v.begin()), std::invalid_argument);
  EXPECT_THROW(distributed::sort_by_key(one, gpusort::par_gpu, v.begin(), v.end(), v.begin()),
               std::invalid_argument);
  EXPECT_THROW(
      distributed::sort(one, gpusort::par_gpu.with(gpusort::require_device), v.begin(), v.end()),
      gpusort::cuda_error);
  EXPECT_FALSE(one.is_aborted);
}

TEST(distributed_failures, of_one_rank_alone_are_its_own) {
  alone one;
  std::vector<int> keys = {3, 1, 2}, values = {0, 1, 2};
  std::vector<char> more = {'a', 'b', 'c'};
  distributed::stable_sort_by_key(one, gpusort::par_gpu, keys.begin(), keys.end(), values.begin(),
                                  more.begin());
  EXPECT_EQ(keys, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(values, (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(more, (std::vector<char>{'b', 'c', 'a'}));
  EXPECT_EQ(distributed::sort_balanced(one, gpusort::par_gpu, keys, gpusort::greater{}), 0u);
  EXPECT_EQ(keys, (std::vector<int>{3, 2, 1}));
}

}  // namespace
}  // namespace kit

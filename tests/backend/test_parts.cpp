// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the CPU backend, each against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

using item = std::pair<int, int>;  // a key, and where it was

struct by_first {
  bool operator()(const item& a, const item& b) const { return a.first < b.first; }
};

/// Answers bit after bit of `answers`, then false.
struct dictated {
  unsigned answers;
  unsigned calls = 0;
  template <class T>
  bool operator()(const T&, const T&) {
    return (answers >> calls++) & 1;
  }
};

TEST(backend_four, sorts_every_order_of_every_keys_stably) {
  for (int code = 0; code < 256; ++code) {
    std::vector<item> in(4);
    for (int i = 0; i < 4; ++i) in[i] = {code >> (2 * i) & 3, i};
    auto expected = in;
    std::stable_sort(expected.begin(), expected.end(), by_first{});
    by_first comp;
    std::vector<item> out(4);
    host::sort_four(in.data(), out.data(), comp);
    EXPECT_EQ(out, expected);
    host::sort_four(in.data(), in.data(), comp);
    EXPECT_EQ(in, expected);
  }
}

TEST(backend_four, permutes_whatever_the_five_answers) {
  for (unsigned answers = 0; answers < 32; ++answers) {
    std::vector<int> in = {0, 1, 2, 3};
    dictated comp{answers};
    host::sort_four(in.data(), in.data(), comp);
    EXPECT_EQ(comp.calls, 5u);
    std::sort(in.begin(), in.end());
    EXPECT_EQ(in, (std::vector<int>{0, 1, 2, 3}));
  }
}

struct sides {
  std::vector<item> left, right;
};

sides random_sides(std::uint64_t seed, std::size_t left, std::size_t right, int keys) {
  sides s;
  for (std::size_t i = 0; i < left + right; ++i) {
    const int key = static_cast<int>(random_at(seed, i) % static_cast<unsigned>(keys));
    (i < left ? s.left : s.right).push_back({key, static_cast<int>(i)});
  }
  std::stable_sort(s.left.begin(), s.left.end(), by_first{});
  std::stable_sort(s.right.begin(), s.right.end(), by_first{});
  return s;
}

host::merge_job<item> job_of(const sides& s, std::vector<item>& out) {
  return {s.left.data(), s.left.size(), s.right.data(), s.right.size(), out.data()};
}

std::vector<item> merged(const sides& s) {
  std::vector<item> out(s.left.size() + s.right.size());
  std::merge(s.left.begin(), s.left.end(), s.right.begin(), s.right.end(), out.begin(), by_first{});
  return out;
}

TEST(backend_merge, agrees_with_std_merge) {
  std::uint64_t round = seed();
  for (std::size_t left : {0, 1, 2, 7, 8, 9, 31, 32, 33, 100, 1000}) {
    for (std::size_t right : {0, 1, 2, 7, 8, 9, 31, 32, 33, 100, 1000}) {
      for (int keys : {1, 3, 50, 1000000}) {
        const sides s = random_sides(++round, left, right, keys);
        by_first comp;
        std::vector<item> out(left + right);
        host::merge(job_of(s, out), comp);
        ASSERT_EQ(out, merged(s)) << left << ' ' << right << ' ' << keys;
        for (int cores : {1, 3}) {
          std::fill(out.begin(), out.end(), item{-1, -1});
          with_cores(cores, [&] { host::merge_parallel(job_of(s, out), 10, comp); });
          ASSERT_EQ(out, merged(s)) << left << ' ' << right << ' ' << keys;
        }
        if (left == 0 || right == 0) continue;
        std::fill(out.begin(), out.end(), item{-1, -1});
        host::merge_runs(job_of(s, out), 1 << 20, comp);
        ASSERT_EQ(out, merged(s)) << left << ' ' << right << ' ' << keys;
      }
    }
  }
}

TEST(backend_merge, of_runs_that_follow_each_other_either_way) {
  for (bool left_first : {true, false}) {
    sides s;
    for (int i = 0; i < 500; ++i) {
      s.left.push_back({left_first ? i : 1000 + i, i});
      s.right.push_back({left_first ? 500 + i : i, 500 + i});
    }
    by_first comp;
    std::vector<item> out(1000);
    host::merge_runs(job_of(s, out), 1 << 20, comp);
    EXPECT_EQ(out, merged(s));
  }
}

TEST(backend_merge, cuts_are_where_std_merge_takes_from_the_left) {
  for (int keys : {1, 4, 1000}) {
    for (std::size_t left : {0, 1, 5, 40}) {
      for (std::size_t right : {0, 1, 5, 40}) {
        const sides s = random_sides(seed() + left * 41 + right + static_cast<unsigned>(keys), left,
                                     right, keys);
        std::vector<item> out(left + right);
        const auto expected = merged(s);
        by_first comp;
        for (std::size_t d = 0; d <= left + right; ++d) {
          const auto from_left =
              std::count_if(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(d),
                            [&](const item& x) { return x.second < static_cast<int>(left); });
          EXPECT_EQ(host::left_share(job_of(s, out), d, comp), static_cast<std::size_t>(from_left));
        }
      }
    }
  }
}

TEST(backend_merge, loses_nothing_to_liars_and_shows_them_nothing_else) {
  constexpr std::uint32_t outside = 0xFFFFFFFF;
  unsigned long long counter = 0;
  for (std::size_t left : {1, 8, 9, 40, 500}) {
    for (std::size_t right : {1, 8, 9, 40, 500}) {
      for (auto m : {behavior::honest, behavior::always_true, behavior::always_false,
                     behavior::random, behavior::slips, behavior::clock, behavior::counter}) {
        for (bool sorted : {true, false}) {
          // both sides are embedded in elements that the comparator must not see
          column<std::uint32_t> in(left + right);
          for (std::size_t i = 0; i < in.size(); ++i) {
            in[i] = static_cast<std::uint32_t>(random_at(seed(), i) % 1000);
          }
          if (sorted) std::sort(in.begin(), in.end());
          std::vector<std::uint32_t> a(left + 40, outside), b(right + 40, outside);
          std::copy(in.begin(), in.begin() + left, a.begin() + 20);
          std::copy(in.begin() + left, in.end(), b.begin() + 20);
          const opaque inconsistent(m, seed(), &counter);
          std::atomic<bool> seen_outside{false};
          const auto comp = [&](std::uint32_t x, std::uint32_t y) {
            if (x == outside || y == outside) seen_outside = true;
            return inconsistent(x, y);
          };
          const auto check = [&](const auto& merge) {
            guarded<std::uint32_t> out(in.size());
            merge(host::merge_job<std::uint32_t>{a.data() + 20, left, b.data() + 20, right,
                                                 out.data()});
            EXPECT_FALSE(seen_outside) << name_of(m) << left << ' ' << right;
            EXPECT_TRUE(out.intact()) << name_of(m) << left << ' ' << right;
            EXPECT_TRUE(same_multiset(in, out.read())) << name_of(m) << left << ' ' << right;
          };
          check([&](const auto& job) { host::merge(job, comp); });
          check([&](const auto& job) { host::merge_parallel(job, 10, comp); });
          check([&](const auto& job) { host::merge_runs(job, 10, comp); });
        }
      }
    }
  }
}

TEST(backend_runs, are_found_to_their_ends) {
  std::vector<int> up(100), down(100), flat(100, 7);
  std::iota(up.begin(), up.end(), 0);
  std::iota(down.rbegin(), down.rend(), 0);
  std::less<int> comp;
  for (std::size_t n : {2, 3, 99, 100}) {
    EXPECT_EQ(host::find_run(up.data(), n, comp).length, n);
    EXPECT_FALSE(host::find_run(up.data(), n, comp).descending);
    EXPECT_EQ(host::find_run(down.data(), n, comp).length, n);
    EXPECT_TRUE(host::find_run(down.data(), n, comp).descending);
    EXPECT_EQ(host::find_run(flat.data(), n, comp).length, n);
    EXPECT_FALSE(host::find_run(flat.data(), n, comp).descending);
  }
  up[50] = 0;
  EXPECT_EQ(host::find_run(up.data(), 100, comp).length, 50u);
  down[50] = down[49];  // not strictly: reversing would not be stable
  EXPECT_EQ(host::find_run(down.data(), 100, comp).length, 50u);
}

TEST(backend_runs, make_sorting_cheap) {
  std::atomic<long long> calls{0};
  const auto counting = [&](int a, int b) {
    calls.fetch_add(1, std::memory_order_relaxed);
    return a < b;
  };
  const long long n = 200000;
  std::vector<int> v(n);
  const auto calls_to_sort = [&] {
    calls = 0;
    host::stable_sort(v.data(), v.size(), counting);
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
    return calls.load();
  };
  with_cores(1, [&] {
    std::iota(v.begin(), v.end(), 0);
    EXPECT_LT(calls_to_sort(), n + 100);
    std::iota(v.rbegin(), v.rend(), 0);
    EXPECT_LT(calls_to_sort(), n + 100);
    for (long long i = 0; i < n; ++i)
      v[static_cast<std::size_t>(i)] = static_cast<int>(i < n / 3 ? n - i : i);
    EXPECT_LT(calls_to_sort(), 3 * n);
  });
}

TEST(backend_in_place, sorts_stably_and_merges_any_split) {
  std::uint64_t round = seed();
  for (std::size_t n : {0, 1, 2, 3, 12, 13, 25, 100, 1000}) {
    for (int keys : {1, 3, 1000000}) {
      std::vector<item> v;
      for (std::size_t i = 0; i < n; ++i) {
        v.push_back({static_cast<int>(random_at(++round, i) % static_cast<unsigned>(keys)),
                     static_cast<int>(i)});
      }
      auto expected = v;
      std::stable_sort(expected.begin(), expected.end(), by_first{});
      by_first comp;
      host::sort_ranges_in_place(v.data(), n, comp);
      EXPECT_EQ(v, expected);
    }
  }
}

template <class Permutation>
void check_permute(std::size_t n, int cores, const Permutation& source_of) {
  using position = host::bare_position<std::uint32_t>;
  std::vector<position> positions(n);
  std::vector<std::uint64_t> a(n);
  std::vector<record<100, 1>> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    positions[i].index = static_cast<std::uint32_t>(source_of(i));
    a[i] = scramble(i);
    b[i] = make_value<record<100, 1>>(scramble(i), i);
  }
  with_cores(cores, [&] { host::permute(n, positions.data(), a.begin(), b.data()); });
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(a[i], scramble(source_of(i)));
    ASSERT_TRUE(same_bytes(b[i], make_value<record<100, 1>>(scramble(source_of(i)), source_of(i))));
  }
}

TEST(backend_permute, every_shape_of_cycles) {
  for (int cores : {1, 4}) {
    for (std::size_t n : {1, 2, 255, 256, 1000, 5000, 50021}) {
      std::vector<std::size_t> shuffled(n);
      std::iota(shuffled.begin(), shuffled.end(), std::size_t{0});
      for (std::size_t i = n; i > 1; --i) {
        std::swap(shuffled[i - 1], shuffled[random_at(seed(), i) % i]);
      }
      check_permute(n, cores, [&](std::size_t i) { return shuffled[i]; });
      check_permute(n, cores, [&](std::size_t i) { return i; });
      check_permute(n, cores, [&](std::size_t i) { return n - 1 - i; });
      check_permute(n, cores, [&](std::size_t i) { return (i + 1) % n; });
      check_permute(n, cores, [&](std::size_t i) { return (i + n - 1) % n; });
      check_permute(n, cores, [&](std::size_t i) { return (i + n / 2) % n; });
    }
  }
}

TEST(backend_permute, without_memory_for_its_walks) {
  const failing_allocations none(0);
  check_permute(5000, 4, [](std::size_t i) { return (i + 7) % 5000; });
  EXPECT_EQ(failing_allocations::failed(), failing_allocations::made());
}

TEST(backend_tasks, both_run_and_the_first_exception_leaves) {
  with_cores(4, [] {
    std::atomic<int> done{0};
    host::fork_join([&] { ++done; }, [&] { ++done; });
    EXPECT_EQ(done, 2);
    EXPECT_THROW(host::fork_join([] { throw std::runtime_error("left"); }, [] {}),
                 std::runtime_error);
    EXPECT_THROW(host::fork_join([] {}, [] { throw std::logic_error("right"); }), std::logic_error);
    EXPECT_THROW(host::fork_join([] { throw 1; }, [] { throw 2; }), int);
  });
}

TEST(backend_tasks, pieces_make_up_the_range) {
  for (int cores : {1, 2, 7}) {
    with_cores(cores, [] {
      for (std::size_t n : {0, 1, 16384, 16385, 100000}) {
        std::vector<int> touched(n);
        host::for_each_piece(n, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) ++touched[i];
        });
        EXPECT_EQ(std::count(touched.begin(), touched.end(), 1), static_cast<std::ptrdiff_t>(n));
      }
    });
  }
}

}  // namespace
}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU backend when a comparator throws, and when there is no memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

/// Returns the calls at which to throw: the first ones, then ever farther apart up to `all`.
std::vector<long long> moments(long long all) {
  std::vector<long long> m;
  for (long long k = 0; k < all; k += 1 + k / (small_sizes_only() ? 1 : 4)) m.push_back(k);
  for (long long k : {all - 2, all - 1}) m.push_back(k);
  return m;
}

/// Sorts by `sort(comp)` with a comparator that throws at each of many moments; `intact()` is asked
/// after each.
template <class Sort, class Reset, class Intact>
void throw_everywhere(int cores, const Sort& sort, const Reset& reset, const Intact& intact) {
  const opaque honest(behavior::honest);
  std::atomic<long long> calls{0};
  with_cores(cores, [&] {
    reset();
    sort(throwing<opaque>(honest, calls, 1ll << 60));
    for (long long k : moments(calls.load())) {
      reset();
      calls = 0;
      const throwing<opaque> comp(honest, calls, k);
      EXPECT_THROW(sort(comp), bomb) << k;
      ASSERT_TRUE(intact()) << k << ' ' << cores;
    }
  });
}

template <class T>
void throw_everywhere_in_sort(std::size_t n, distribution d) {
  const auto in = generate<T>(d, n, seed());
  auto out = in;
  for (int cores : {1, 4}) {
    throw_everywhere(
        cores, [&](const auto& comp) { host::stable_sort(out.data(), n, comp); }, [&] { out = in; },
        [&] { return checksum_of(in) == checksum_of(out) && same_multiset(in, out); });
  }
}

TEST(backend_throwing, sort_leaves_a_permutation) {
  for (auto d : {distribution::uniform, distribution::organ_pipe, distribution::few_distinct,
                 distribution::reverse, distribution::sorted}) {
    for (std::size_t n : {2, 20, 32, 33, 100, 1000, 9000}) {
      throw_everywhere_in_sort<std::uint32_t>(n, d);
      throw_everywhere_in_sort<record<24>>(n, d);
    }
    for (std::size_t n : {2, 100, 5000}) throw_everywhere_in_sort<record<100, 1>>(n, d);
  }
}

TEST(backend_throwing, sort_in_place_leaves_a_permutation) {
  const failing_allocations none(0);
  for (std::size_t n : {33, 100, 1000, 9000}) {
    throw_everywhere_in_sort<std::uint32_t>(n, distribution::uniform);
    throw_everywhere_in_sort<record<100, 1>>(n, distribution::few_distinct);
  }
  EXPECT_GT(failing_allocations::failed(), 0);
}

TEST(backend_throwing, owners_are_neither_lost_nor_doubled) {
  const std::size_t n = 5000;
  std::vector<owner> owners;
  for (std::size_t i = 0; i < n; ++i) owners.emplace_back(random_at(seed(), i), i);
  std::atomic<long long> calls{0};
  bool finished = false;
  for (long long k = 0; !finished; k += 1 + k / 3) {
    calls = 0;
    const auto salt = static_cast<std::uint64_t>(k);  // each time another order, unlike the last
    const auto comp = [&](const owner& a, const owner& b) {
      if (calls++ >= k) throw bomb{};
      return scramble(a.key() + salt) < scramble(b.key() + salt);
    };
    with_cores(4, [&] {
      try {
        host::stable_sort(owners.data(), n, comp);
        finished = true;
      } catch (const bomb&) {
      }
    });
    std::vector<bool> seen(n);
    for (const owner& o : owners) seen[o.position()] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(n)) << k;
  }
}

template <class Value>
void throw_everywhere_by_key(std::size_t n, bool expect_same) {
  const auto in = generate<std::uint32_t>(distribution::uniform, n, seed());
  auto keys = in;
  std::vector<std::size_t> where(n);
  std::vector<Value> longer(n);
  for (int cores : {1, 4}) {
    throw_everywhere(
        cores,
        [&](const auto& comp) {
          host::stable_sort_by_key(keys.data(), n, comp, where.begin(), longer.begin());
        },
        [&] {
          keys = in;
          for (std::size_t i = 0; i < n; ++i) {
            where[i] = i;
            longer[i] = make_value<Value>(scramble(i), i);
          }
        },
        [&] {
          std::vector<bool> seen(n);
          for (std::size_t i = 0; i < n; ++i) {
            if (keys[i] != in[where[i]]) return false;
            if (!same_bytes(longer[i], make_value<Value>(scramble(where[i]), where[i]))) {
              return false;
            }
            if (expect_same && where[i] != i) return false;
            seen[where[i]] = true;
          }
          return std::count(seen.begin(), seen.end(), true) == static_cast<std::ptrdiff_t>(n);
        });
  }
}

TEST(backend_throwing, by_key_keeps_keys_with_values) {
  for (std::size_t n : {20, 1000, 9000}) {
    throw_everywhere_by_key<std::uint32_t>(n, true);
    throw_everywhere_by_key<record<100, 1>>(n, true);
  }
}

TEST(backend_throwing, by_key_in_place_keeps_keys_with_values) {
  const failing_allocations none(0);
  for (std::size_t n : {20, 1000, 9000}) {
    throw_everywhere_by_key<std::uint32_t>(n, false);
    throw_everywhere_by_key<record<100, 1>>(n, false);
  }
}

TEST(backend_throwing, any_iterator) {
  const std::size_t n = 5000;
  const auto in = generate<record<16>>(distribution::uniform, n, seed());
  std::deque<record<16>> d(n);
  for (int cores : {1, 4}) {
    throw_everywhere(
        cores, [&](const auto& comp) { host::stable_sort_by_key(d.begin(), d.size(), comp); },
        [&] { std::copy(in.begin(), in.end(), d.begin()); },
        [&] {
          column<record<16>> out(n);
          std::copy(d.begin(), d.end(), out.begin());
          return same_multiset(in, out);
        });
  }
}

TEST(backend_throwing, argsort_and_is_sorted_let_it_pass) {
  const std::size_t n = 50000;
  const auto in = generate<std::uint32_t>(distribution::sorted, n, seed());
  std::atomic<long long> calls{0};
  std::vector<int> out(n);
  with_cores(4, [&] {
    for (long long k : {0, 1, 1000, 40000}) {
      calls = 0;
      const throwing<opaque> comp(opaque(behavior::honest), calls, k);
      EXPECT_THROW(host::is_sorted(in.data(), n, comp), bomb);
      calls = 0;
      EXPECT_THROW(host::argsort(in.data(), n, out.begin(), comp), bomb);
    }
  });
}

// Every allocation that a call makes fails in turn, and all from each one on.
template <class Call>
void fail_everywhere(const Call& call) {
  long allocations = 0;
  {
    const failing_allocations counted(1l << 30);
    call();
    allocations = failing_allocations::made();
  }
  ASSERT_GT(allocations, 0);
  for (long first = 0; first < allocations; ++first) {
    for (long last : {first + 1, 1l << 30}) {
      const failing_allocations some(first, last);
      call();
      ASSERT_GT(failing_allocations::failed(), 0);
    }
  }
}

class backend_without_memory : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(cores, backend_without_memory, ::testing::Values(1, 4));

TEST_P(backend_without_memory, sort_is_stable_still) {
  with_cores(GetParam(), [] {
    const auto check = [](auto sample, std::size_t n) {
      using T = decltype(sample);
      for (auto d : {distribution::uniform, distribution::few_distinct, distribution::staggered}) {
        const auto in = generate<T>(d, n, seed());
        fail_everywhere([&] {
          auto out = in;
          host::stable_sort(out.data(), n, opaque(behavior::coarse));
          EXPECT_TRUE(examine(in, out, opaque(behavior::coarse), promise::stability).ok());
        });
      }
    };
    for (std::size_t n : {33, 1000, 30000}) {
      check(std::uint32_t{}, n);
      check(record<16>{}, n);
      check(record<100, 1>{}, n);
    }
    check(record<4096>{}, 300);
  });
}

TEST_P(backend_without_memory, liars_lose_nothing) {
  with_cores(GetParam(), [] {
    const failing_allocations none(0);
    unsigned long long counter = 0;
    for (std::size_t n : {33, 1000, 10000}) {
      const auto in = generate<std::uint32_t>(distribution::uniform, n, seed());
      for (auto m : every_inconsistent_comparator) {
        guarded<std::uint32_t> range(in, 1);
        host::stable_sort(range.data(), n, opaque(m, seed(), &counter));
        EXPECT_TRUE(range.intact() && same_multiset(in, range.read())) << name_of(m);
      }
    }
  });
}

TEST_P(backend_without_memory, by_key_argsort_and_any_iterator) {
  with_cores(GetParam(), [] {
    const std::size_t n = 10000;
    const auto in = generate<std::uint32_t>(distribution::few_distinct, n, seed());
    std::vector<std::size_t> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = i;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::size_t a, std::size_t b) { return in[a] < in[b]; });

    fail_everywhere([&] {
      std::vector<std::size_t> out(n);
      host::argsort(in.data(), n, out.begin(), std::less<>{});
      EXPECT_EQ(out, expected);
    });
    fail_everywhere([&] {
      auto keys = in;
      std::vector<std::size_t> where(n);
      for (std::size_t i = 0; i < n; ++i) where[i] = i;
      host::stable_sort_by_key(keys.data(), n, std::less<>{}, where.begin());
      EXPECT_EQ(where, expected);
    });
    fail_everywhere([&] {
      auto keys = in;
      std::vector<std::size_t> where(n);
      std::vector<record<64, 64>> values(n);
      for (std::size_t i = 0; i < n; ++i) {
        where[i] = i;
        values[i] = make_value<record<64, 64>>(scramble(i), i);
      }
      host::stable_sort_by_key(keys.data(), n, std::less<>{}, values.begin(), where.begin());
      EXPECT_EQ(where, expected);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_TRUE(
            same_bytes(values[i], make_value<record<64, 64>>(scramble(expected[i]), expected[i])));
      }
    });
    fail_everywhere([&] {
      std::deque<std::uint32_t> d(in.begin(), in.end());
      host::stable_sort_by_key(d.begin(), d.size(), std::greater<>{});
      EXPECT_TRUE(std::is_sorted(d.begin(), d.end(), std::greater<>{}));
    });
  });
}

}  // namespace
}  // namespace kit

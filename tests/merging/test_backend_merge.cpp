// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU backend's merges and selections: of two runs and of many, with values and without.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <gpusort/detail/host/merge_ranges.hpp>
#include <iterator>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

using item = std::pair<int, int>;  // a key, and where it was: run by run

struct by_first {
  bool operator()(const item& a, const item& b) const { return a.first < b.first; }
};

template <class T>
using runs_of = std::vector<std::vector<T>>;

template <class T>
std::vector<host::run<const T*>> described(const runs_of<T>& runs) {
  std::vector<host::run<const T*>> result;
  for (const auto& r : runs) result.push_back({r.data(), r.size()});
  return result;
}

template <class T>
std::vector<T> joined(const runs_of<T>& runs) {
  std::vector<T> all;
  for (const auto& r : runs) all.insert(all.end(), r.begin(), r.end());
  return all;
}

template <class T, class Compare>
std::vector<T> expected_of(const runs_of<T>& runs, Compare comp) {
  auto all = joined(runs);
  std::stable_sort(all.begin(), all.end(), comp);
  return all;
}

/// Runs of these sizes, sorted, of `keys` different keys.
runs_of<item> sorted_runs(const std::vector<std::size_t>& sizes, unsigned keys,
                          std::uint64_t salt = 0) {
  runs_of<item> runs;
  std::size_t i = 0;
  for (const std::size_t size : sizes) {
    std::vector<item> r;
    for (std::size_t j = 0; j < size; ++j, ++i) {
      r.emplace_back(static_cast<int>(random_at(seed() + salt, i) % keys), 0);
    }
    std::sort(r.begin(), r.end());
    runs.push_back(std::move(r));
  }
  int position = 0;
  for (auto& r : runs) {
    for (item& x : r) x.second = position++;
  }
  return runs;
}

// -- selection ------------------------------------------------------------------------------------

/// Returns positions by brute force.
std::vector<std::size_t> positions_of(const runs_of<item>& runs, std::size_t rank) {
  const auto merged = expected_of(runs, by_first{});
  std::vector<std::size_t> positions;
  int start = 0;
  for (const auto& r : runs) {
    const int end = start + static_cast<int>(r.size());
    positions.push_back(static_cast<std::size_t>(
        std::count_if(merged.begin(), merged.begin() + static_cast<std::ptrdiff_t>(rank),
                      [&](const item& x) { return start <= x.second && x.second < end; })));
    start = end;
  }
  return positions;
}

enum class selection { samples, pivots, the_default };
constexpr selection every_selection[] = {selection::samples, selection::pivots,
                                         selection::the_default};

/// Returns the positions within windows of the runs, of the rank counted from their lower ends.
template <class T, class Compare>
std::vector<std::size_t> select_within(selection how, const runs_of<T>& runs,
                                       std::vector<std::size_t> lower,
                                       std::vector<std::size_t> upper, std::size_t rank,
                                       Compare comp) {
  const std::size_t k = runs.size();
  const auto described_runs = described(runs);
  using elements = host::elements_of_runs<T, const T*>;
  const elements all{described_runs.data()};
  std::vector<std::size_t> words(2 * k);
  switch (how) {
    case selection::samples:
      host::sample_selection<elements, Compare>(all, lower.data(), upper.data(), comp)
          .run(k, rank, words.data());
      break;
    case selection::pivots:
      host::pivot_selection<elements, Compare>(all, lower.data(), upper.data(), comp)
          .run(k, rank, words.data());
      break;
    case selection::the_default:
      host::select_rank(all, k, lower.data(), upper.data(), rank, words.data(), comp);
  }
  return lower;
}

template <class T>
std::vector<std::size_t> sizes_of(const runs_of<T>& runs) {
  std::vector<std::size_t> sizes;
  for (const auto& r : runs) sizes.push_back(r.size());
  return sizes;
}

template <class T, class Compare>
std::vector<std::size_t> select_from(selection how, const runs_of<T>& runs, std::size_t rank,
                                     Compare comp) {
  return select_within(how, runs, std::vector<std::size_t>(runs.size()), sizes_of(runs), rank,
                       comp);
}

/// Returns all sorted sequences of up to `longest` of the keys 0, 1, 2.
std::vector<std::vector<int>> every_run(std::size_t longest) {
  std::vector<std::vector<int>> all;
  for (std::size_t zeros = 0; zeros <= longest; ++zeros) {
    for (std::size_t ones = 0; zeros + ones <= longest; ++ones) {
      for (std::size_t twos = 0; zeros + ones + twos <= longest; ++twos) {
        std::vector<int> r(zeros, 0);
        r.insert(r.end(), ones, 1);
        r.insert(r.end(), twos, 2);
        all.push_back(r);
      }
    }
  }
  return all;
}

/// Calls body(runs) for all combinations of k of these.
template <class Body>
void for_every_combination(const std::vector<std::vector<int>>& choices, std::size_t k,
                           const Body& body) {
  std::vector<std::size_t> chosen(k, 0);
  for (bool more = true; more;) {
    runs_of<item> runs;
    int position = 0;
    for (const std::size_t c : chosen) {
      std::vector<item> r;
      for (const int key : choices[c]) r.emplace_back(key, position++);
      runs.push_back(r);
    }
    body(runs);
    more = false;
    for (std::size_t i = 0; i < k && !more; ++i) {
      chosen[i] = (chosen[i] + 1) % choices.size();
      more = chosen[i] != 0;
    }
  }
}

TEST(backend_selection, every_small_case_and_rank) {
  for (std::size_t k = 1; k <= 4; ++k) {
    const auto choices = every_run(k == 4 ? 1 : small_sizes_only() ? 2 : k == 3 ? 3 : 5);
    for_every_combination(choices, k, [&](const runs_of<item>& runs) {
      const std::size_t n = joined(runs).size();
      for (std::size_t rank = 0; rank <= n; ++rank) {
        const auto expected = positions_of(runs, rank);
        for (const selection how : every_selection) {
          ASSERT_EQ(select_from(how, runs, rank, by_first{}), expected) << k << ' ' << rank;
        }
      }
    });
  }
}

TEST(backend_selection, agrees_with_brute_force) {
  std::uint64_t round = 0;
  for (const std::size_t k : {1, 2, 7, 8, 9, 33, 200}) {
    for (const std::size_t longest : {1, 5, 100}) {
      for (const unsigned keys : {1u, 4u, 1000000u}) {
        std::vector<std::size_t> sizes(k);
        for (auto& size : sizes) size = random_at(seed(), ++round) % (longest + 1);
        const auto runs = sorted_runs(sizes, keys, round);
        const std::size_t n = joined(runs).size();
        for (std::size_t rank = 0; rank <= n; rank += 1 + n / 7) {
          const auto expected = positions_of(runs, rank);
          for (const selection how : every_selection) {
            ASSERT_EQ(select_from(how, runs, rank, by_first{}), expected) << k << ' ' << rank;
          }
        }
      }
    }
  }
}

TEST(backend_selection, stays_within_its_windows) {
  const auto runs = sorted_runs({50, 0, 7, 100, 3, 3, 80, 1, 1, 60}, 20);
  const std::size_t n = joined(runs).size();
  for (std::size_t low = 0; low <= n; low += 13) {
    for (std::size_t high = low; high <= n; high += 17) {
      const auto lower = positions_of(runs, low);
      const auto upper = positions_of(runs, high);
      for (std::size_t rank = low; rank <= high; rank += 5) {
        for (const selection how : every_selection) {
          ASSERT_EQ(select_within(how, runs, lower, upper, rank - low, by_first{}),
                    positions_of(runs, rank));
        }
      }
    }
  }
}

TEST(backend_selection, is_bounded_and_adds_up_for_liars) {
  unsigned long long counter = 0;
  for (const std::size_t k : {1, 2, 8, 20, 300}) {
    for (const bool sorted : {true, false}) {
      runs_of<std::uint32_t> runs;
      std::size_t n = 0;
      for (std::size_t i = 0; i < k; ++i) {
        std::vector<std::uint32_t> r;
        for (std::size_t j = 0; j < random_at(seed(), i) % 90; ++j) {
          r.push_back(static_cast<std::uint32_t>(random_at(seed() + i, j) % 1000));
        }
        if (sorted) std::sort(r.begin(), r.end());
        n += r.size();
        runs.push_back(r);
      }
      for (const behavior m : every_inconsistent_comparator) {
        const opaque inconsistent(m, seed(), &counter);
        std::size_t calls = 0;
        const auto comp = [&](std::uint32_t a, std::uint32_t b) {
          ++calls;
          return inconsistent(a, b);
        };
        for (std::size_t rank = 0; rank <= n; rank += 1 + n / 5) {
          for (const selection how : every_selection) {
            calls = 0;
            const auto positions = select_from(how, runs, rank, comp);
            std::size_t sum = 0;
            for (std::size_t i = 0; i < k; ++i) {
              ASSERT_LE(positions[i], runs[i].size());
              sum += positions[i];
            }
            EXPECT_EQ(sum, rank) << name_of(m) << k;
            EXPECT_LE(calls, 20 * k * (n + 1)) << name_of(m) << k;
          }
        }
      }
    }
  }
}

TEST(backend_selection, takes_few_comparisons) {
  const std::size_t m = small_sizes_only() ? 1000 : 20000;
  for (const std::size_t k : {2, 8, 9, 100}) {
    // alike; one after the other either way; nearly all in one run; few keys
    for (int shape = 0; shape < 5; ++shape) {
      runs_of<std::uint32_t> runs;
      for (std::size_t i = 0; i < k; ++i) {
        std::vector<std::uint32_t> r(shape == 3 && i != k / 2 ? m / (20 * k) : m);
        for (std::size_t j = 0; j < r.size(); ++j) {
          const auto x = static_cast<std::uint32_t>(random_at(seed() + i, j) % (1u << 20));
          const auto place = static_cast<std::uint32_t>(shape == 1 ? i : k - i) << 20;
          r[j] = shape == 1 || shape == 2 ? place + x : shape == 4 ? x % 3 : x;
        }
        std::sort(r.begin(), r.end());
        runs.push_back(r);
      }
      const auto described_runs = described(runs);
      std::vector<std::size_t> positions(k);
      std::size_t n = 0;
      for (const auto& r : runs) n += r.size();
      for (const std::size_t rank : {std::size_t{0}, n / 100, n / 2, n - 1, n}) {
        std::size_t calls = 0;
        host::multiway_select(described_runs.data(), k, rank, positions.data(),
                              [&](std::uint32_t a, std::uint32_t b) {
                                ++calls;
                                return a < b;
                              });
        EXPECT_EQ(std::accumulate(positions.begin(), positions.end(), std::size_t{0}), rank);
        // samples: k log m steps of log k; pivots: log n rounds, doubled for bad luck, of 2 k log m
        EXPECT_LE(calls, k * 15 * 4 * 2 * 21) << k << ' ' << shape << ' ' << rank;
      }
    }
  }
}

TEST(backend_selection, of_any_iterator_and_constant_runs) {
  const auto runs = sorted_runs({30, 0, 12, 70}, 9);
  std::vector<std::deque<item>> deques;
  for (const auto& r : runs) deques.emplace_back(r.begin(), r.end());
  std::vector<host::run<std::deque<item>::const_iterator>> described_runs;
  for (const auto& d : deques) described_runs.push_back({d.begin(), d.size()});
  for (std::size_t rank = 0; rank <= 112; ++rank) {
    std::vector<std::size_t> positions(4, 99);
    host::multiway_select(described_runs.data(), 4, rank, positions.data(), by_first{});
    EXPECT_EQ(positions, positions_of(runs, rank));
  }
}

TEST(backend_selection, without_memory) {
  const failing_allocations none(0);
  for (const std::size_t k : {64, 65}) {
    const auto runs = sorted_runs(std::vector<std::size_t>(k, 3), 5);
    const auto described_runs = described(runs);
    std::vector<std::size_t> positions(k);
    const auto select = [&] {
      host::multiway_select(described_runs.data(), k, 70, positions.data(), by_first{});
    };
    if (k == 64) {
      select();
      EXPECT_EQ(positions, positions_of(runs, 70));
    } else {
      EXPECT_THROW(select(), gpusort::out_of_memory);
    }
  }
}

// -- merging --------------------------------------------------------------------------------------

class backend_merges : public ::testing::TestWithParam<int> {
 protected:
  template <class Body>
  void on_cores(const Body& body) const {
    with_cores(GetParam(), body);
  }
};
INSTANTIATE_TEST_SUITE_P(cores, backend_merges, ::testing::Values(1, 4));

template <class Out, class T, class Compare>
void check_multiway(const runs_of<T>& runs, Compare comp) {
  const auto described_runs = described(runs);
  const auto expected = expected_of(runs, comp);
  Out out(expected.size() + 1);
  host::multiway_merge(described_runs.data(), runs.size(), out.begin(), comp);
  out.pop_back();
  ASSERT_TRUE(std::equal(out.begin(), out.end(), expected.begin())) << runs.size();
  if constexpr (std::is_same_v<Out, std::vector<T>>) {
    guarded<T> range(expected.size());
    host::multiway_merge(described_runs.data(), runs.size(), range.data(), comp);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), range.data()));
    ASSERT_TRUE(range.intact());
  }
}

TEST_P(backend_merges, multiway_every_small_case) {
  on_cores([] {
    for (std::size_t k = 0; k <= 3; ++k) {
      for_every_combination(every_run(k == 3 ? 2 : 3), k, [&](const runs_of<item>& runs) {
        check_multiway<std::vector<item>>(runs, by_first{});
      });
    }
  });
}

TEST_P(backend_merges, multiway_of_one_to_thousands_of_runs) {
  on_cores([] {
    const std::size_t n = small_sizes_only() ? 20000 : 300000;
    for (const std::size_t k : {1, 2, 3, 5, 8, 9, 16, 64, 100, 1000, 4096}) {
      for (const unsigned keys : {3u, 1000000u}) {
        check_multiway<std::vector<item>>(sorted_runs(std::vector<std::size_t>(k, n / k), keys),
                                          by_first{});
      }
    }
  });
}

TEST_P(backend_merges, multiway_of_unequal_runs) {
  on_cores([] {
    const std::size_t n = small_sizes_only() ? 20000 : 400000;
    std::vector<std::vector<std::size_t>> shapes;
    shapes.push_back(std::vector<std::size_t>(n / 3, 3));  // a great many tiny ones
    shapes.push_back(std::vector<std::size_t>(300, n / 30000));
    shapes.back()[170] = n / 100 * 99;  // 99% in one
    shapes.push_back({0, 0, n, 0});
    shapes.push_back({0, n / 2, 0, 0, n / 3, 1, 0});
    shapes.push_back(std::vector<std::size_t>(50, 0));
    shapes.push_back({});
    for (std::size_t size = 1; size < n; size *= 2) shapes.back().push_back(size);
    for (const auto& sizes : shapes) {
      for (const unsigned keys : {2u, 1000000u}) {
        check_multiway<std::vector<item>>(sorted_runs(sizes, keys), by_first{});
      }
    }
  });
}

TEST_P(backend_merges, multiway_of_runs_that_follow_each_other) {
  on_cores([] {
    for (const bool in_order : {true, false}) {
      runs_of<item> runs(40);
      int position = 0;
      for (std::size_t i = 0; i < 40; ++i) {
        const int base = static_cast<int>(in_order ? i : 39 - i) * 10000;
        for (int j = 0; j < 5000; ++j) runs[i].emplace_back(base + j / 2, position++);
      }
      check_multiway<std::vector<item>>(runs, by_first{});
    }
  });
}

TEST_P(backend_merges, longer_than_a_tile) {
  const std::size_t n = small_sizes_only() ? 300000 : 3000000;
  runs_of<std::uint32_t> runs(21);
  for (std::size_t i = 0; i < n; ++i) {
    runs[i % 20].push_back(static_cast<std::uint32_t>(random_at(seed(), i)));
  }
  for (auto& r : runs) std::sort(r.begin(), r.end());
  on_cores([&] { check_multiway<std::vector<std::uint32_t>>(runs, std::less<>{}); });
}

TEST_P(backend_merges, large_elements) {
  using large = record<100, 1>;
  on_cores([] {
    for (const std::size_t k : {2, 7, 90}) {
      const std::size_t n = 20000;
      const auto in = generate<large>(distribution::few_distinct, n, seed());
      column<large> all(n);
      std::vector<host::run<const large*>> runs;
      for (std::size_t i = 0; i < k; ++i) {
        const std::size_t begin = n * i / k, end = n * (i + 1) / k;
        for (std::size_t j = begin; j < end; ++j) all[j] = in[j];
        std::stable_sort(all.begin() + begin, all.begin() + end, opaque(behavior::honest));
        runs.push_back({all.data() + begin, end - begin});
      }
      column<large> out(n);
      host::multiway_merge(runs.data(), k, out.data(), opaque(behavior::honest));
      EXPECT_TRUE(examine(all, out, opaque(behavior::honest), promise::stability).ok());
      if (k != 2) continue;
      column<large> of_two(n);
      EXPECT_EQ(host::merge(runs[0].first, runs[0].count, runs[1].first, runs[1].count,
                            of_two.data(), opaque(behavior::honest)),
                of_two.end());
      EXPECT_TRUE(examine(all, of_two, opaque(behavior::honest), promise::stability).ok());
    }
  });
}

TEST_P(backend_merges, two_of_any_sizes) {
  on_cores([] {
    std::uint64_t round = 0;
    for (const std::size_t a : {0, 1, 2, 33, 1000, 30000}) {
      for (const std::size_t b : {0, 1, 2, 33, 1000, 30000}) {
        for (const unsigned keys : {1u, 3u, 1000000u}) {
          const auto runs = sorted_runs({a, b}, keys, ++round);
          const auto expected = expected_of(runs, by_first{});
          std::vector<item> out(a + b);
          EXPECT_EQ(host::merge(runs[0].data(), a, runs[1].data(), b, out.data(), by_first{}),
                    out.data() + a + b);
          ASSERT_EQ(out, expected);
          std::deque<item> d(a + b);
          EXPECT_EQ(host::merge(runs[0].begin(), a, runs[1].data(), b, d.begin(), by_first{}),
                    d.end());
          ASSERT_TRUE(std::equal(d.begin(), d.end(), expected.begin()));
        }
      }
    }
  });
}

TEST_P(backend_merges, convert_to_the_type_of_the_output) {
  on_cores([] {
    const std::size_t a_count = 30000, b_count = 20000;
    std::vector<int> a(a_count);
    std::deque<long> b(b_count);
    for (std::size_t i = 0; i < a_count; ++i) a[i] = static_cast<int>(random_at(seed(), i) % 5000);
    for (std::size_t i = 0; i < b_count; ++i)
      b[i] = static_cast<long>(random_at(seed() + 1, i) % 5000);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<long> expected(a_count + b_count), out(a_count + b_count);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    const auto compares_longs = [](auto x, auto y) {
      static_assert(std::is_same_v<decltype(x), long> && std::is_same_v<decltype(y), long>);
      return x < y;
    };
    const std::vector<int>& constant = a;
    host::merge(constant.begin(), a_count, b.cbegin(), b_count, out.data(), compares_longs);
    EXPECT_EQ(out, expected);
    std::fill(out.begin(), out.end(), -1);
    host::merge(b.begin(), b_count, a.data(), a_count, out.begin(), compares_longs);
    EXPECT_EQ(out, expected);

    const host::run<const int*> runs[] = {{a.data(), a_count}, {a.data(), 1000}, {a.data(), 0}};
    std::vector<long> joined(a.begin(), a.end());
    joined.insert(joined.end(), a.begin(), a.begin() + 1000);
    std::sort(joined.begin(), joined.end());
    std::vector<long> of_three(joined.size());
    host::multiway_merge(runs, 3, of_three.data(), compares_longs);
    EXPECT_EQ(of_three, joined);
  });
}

/// A random access iterator whose reference is a proxy.
template <class T>
class proxy_iterator {
 public:
  class reference {
   public:
    explicit reference(T* p) : p_(p) {}
    operator T() const { return *p_; }
    const reference& operator=(const T& value) const {
      *p_ = value;
      return *this;
    }

   private:
    T* p_;
  };
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = void;

  explicit proxy_iterator(T* p) : p_(p) {}
  reference operator*() const { return reference(p_); }
  friend proxy_iterator operator+(proxy_iterator it, difference_type i) {
    return proxy_iterator(it.p_ + i);
  }

 private:
  T* p_;
};

TEST_P(backend_merges, proxies_and_reversed_ranges) {
  on_cores([] {
    auto runs = sorted_runs({20000, 0, 300, 9000}, 400);
    std::vector<host::run<proxy_iterator<item>>> described_runs;
    for (auto& r : runs) described_runs.push_back({proxy_iterator<item>(r.data()), r.size()});
    const auto expected = expected_of(runs, by_first{});
    std::vector<item> out(expected.size());
    host::multiway_merge(described_runs.data(), 4, proxy_iterator<item>(out.data()), by_first{});
    EXPECT_EQ(out, expected);

    std::vector<item> reversed(expected.size());
    host::multiway_merge(described_runs.data(), 4, reversed.rbegin(), by_first{});
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_EQ(reversed, expected);

    const auto two = expected_of(runs_of<item>{runs[0], runs[3]}, by_first{});
    std::vector<item> of_two(two.size());
    host::merge(proxy_iterator<item>(runs[0].data()), runs[0].size(), runs[3].data(),
                runs[3].size(), proxy_iterator<item>(of_two.data()), by_first{});
    EXPECT_EQ(of_two, two);
  });
}

TEST_P(backend_merges, elements_that_copy_by_more_than_their_bytes) {
  struct shared {
    std::shared_ptr<int> value;
    bool operator<(const shared& other) const { return *value < *other.value; }
  };
  on_cores([] {
    runs_of<shared> runs(5);
    for (int i = 0; i < 20000; ++i) {
      runs[static_cast<std::size_t>(i % 5)].push_back({std::make_shared<int>(i / 3)});
    }
    std::vector<shared> out(20000);
    const auto described_runs = described(runs);
    host::multiway_merge(described_runs.data(), 5, out.data(), std::less<>{});
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    for (const auto& x : out) ASSERT_EQ(x.value.use_count(), 2);
    host::merge(runs[0].data(), 4000, runs[1].data(), 4000, out.data(), std::less<>{});
    out.clear();
    for (const auto& x : joined(runs)) ASSERT_EQ(x.value.use_count(), 2);
  });
}

// -- keys with values -----------------------------------------------------------------------------

/// Checks that values tell which element their key was; keys are what that element's key is.
template <class Key, class Value>
void check_by_key(const std::vector<std::size_t>& sizes, unsigned keys) {
  const auto items = sorted_runs(sizes, keys);
  const std::size_t k = items.size();
  runs_of<Key> key_runs(k);
  runs_of<Value> value_runs(k);
  for (std::size_t i = 0; i < k; ++i) {
    for (const item& x : items[i]) {
      const auto rank = static_cast<std::uint64_t>(x.first) << 40;
      key_runs[i].push_back(make_value<Key>(rank, static_cast<std::uint64_t>(x.second)));
      const auto where = static_cast<std::uint64_t>(x.second);
      value_runs[i].push_back(make_value<Value>(scramble(where), where));
    }
  }
  const auto expected_items = expected_of(items, by_first{});
  const auto all_keys = joined(key_runs);
  const auto all_values = joined(value_runs);
  const std::size_t n = expected_items.size();
  const opaque comp(behavior::honest);
  const auto check = [&](const auto& keys_out, const auto& values_out) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto from = static_cast<std::size_t>(expected_items[i].second);
      ASSERT_TRUE(same_bytes(keys_out[i], all_keys[from])) << i << ' ' << k;
      ASSERT_TRUE(same_bytes(values_out[i], all_values[from])) << i << ' ' << k;
    }
  };
  const auto described_runs = described(key_runs);
  const auto described_values = described(value_runs);
  column<Key> keys_out(n);
  std::vector<Value> values_out(n);
  host::multiway_merge_by_key(described_runs.data(), described_values.data(), k, keys_out.data(),
                              values_out.begin(), comp);
  check(keys_out, values_out);
  if (k != 2) return;
  std::deque<Key> keys_of_two(n);
  std::deque<Value> values_of_two(n);
  host::merge_by_key(key_runs[0].begin(), key_runs[0].size(), key_runs[1].data(),
                     key_runs[1].size(), value_runs[0].data(), value_runs[1].cbegin(),
                     keys_of_two.begin(), values_of_two.begin(), comp);
  check(keys_of_two, values_of_two);
}

template <class Key, class Value>
void check_by_key_everywhere() {
  for (const unsigned keys : {3u, 10000u}) {
    check_by_key<Key, Value>({}, keys);
    check_by_key<Key, Value>({0, 0}, keys);
    check_by_key<Key, Value>({1, 0}, keys);
    check_by_key<Key, Value>({0, 3000}, keys);
    check_by_key<Key, Value>({20000, 13}, keys);
    check_by_key<Key, Value>({9000, 17000}, keys);
    check_by_key<Key, Value>(std::vector<std::size_t>(70, 500), keys);
    check_by_key<Key, Value>(std::vector<std::size_t>(5000, 3), keys);
  }
}

TEST_P(backend_merges, values_follow_short_keys) {
  on_cores([] {
    check_by_key_everywhere<std::uint64_t, std::uint32_t>();
    check_by_key_everywhere<record<16>, record<100, 1>>();
  });
}
TEST_P(backend_merges, values_follow_long_keys) {
  on_cores([] { check_by_key_everywhere<record<24>, std::uint8_t>(); });
}

// -- in place -------------------------------------------------------------------------------------

template <class Container>
void check_inplace(std::size_t a, std::size_t b, unsigned keys) {
  const auto runs = sorted_runs({a, b}, keys, a + 31 * b);
  const auto expected = expected_of(runs, by_first{});
  const auto all = joined(runs);
  Container out(all.begin(), all.end());
  host::inplace_merge(out.begin(), a, a + b, by_first{});
  ASSERT_TRUE(std::equal(out.begin(), out.end(), expected.begin())) << a << ' ' << b;
  auto in_array = all;
  host::inplace_merge(in_array.data(), a, a + b, by_first{});
  ASSERT_EQ(in_array, expected);
}

TEST_P(backend_merges, in_place) {
  on_cores([] {
    for (const bool with_memory : {true, false}) {
      std::unique_ptr<failing_allocations> none;
      if (!with_memory) none = std::make_unique<failing_allocations>(0);
      for (const std::size_t a : {0, 1, 2, 33, 1000, 20000}) {
        for (const std::size_t b : {0, 1, 2, 33, 1000, 20000}) {
          for (const unsigned keys : {1u, 5u, 1000000u}) {
            check_inplace<std::vector<item>>(a, b, keys);
            check_inplace<std::deque<item>>(a, b, keys);
          }
        }
      }
      if (!with_memory) {
        EXPECT_GT(failing_allocations::failed(), 0);
      }
    }
  });
}

TEST_P(backend_merges, owners_in_place) {
  on_cores([] {
    for (const bool with_memory : {true, false}) {
      std::unique_ptr<failing_allocations> none;
      if (!with_memory) none = std::make_unique<failing_allocations>(0);
      std::vector<owner> v;
      std::deque<owner> d;
      for (std::uint64_t i = 0; i < 10000; ++i) v.emplace_back(i < 6000 ? i / 2 : i - 6000, i);
      for (std::uint64_t i = 0; i < 10000; ++i) d.emplace_back(i < 6000 ? i / 2 : i - 6000, i);
      host::inplace_merge(v.data(), 6000, 10000, by_owned_key{});
      host::inplace_merge(d.begin(), 6000, 10000, by_owned_key{});
      for (std::size_t i = 1; i < 10000; ++i) {
        ASSERT_LT(std::make_pair(v[i - 1].key(), v[i - 1].position()),
                  std::make_pair(v[i].key(), v[i].position()));
        ASSERT_EQ(d[i].position(), v[i].position());
      }
    }
  });
}

// -- comparators that lie or throw, and memory that cannot be allocated
// ---------------------------------

/// Runs of uint32, embedded in elements that no comparator may see.
struct embedded {
  static constexpr std::uint32_t outside = 0xFFFFFFFF;

  std::vector<std::vector<std::uint32_t>> memory;
  std::vector<host::run<const std::uint32_t*>> runs;
  column<std::uint32_t> all;

  embedded(std::size_t k, std::size_t n, bool sorted) : all(n) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t size = n * (i + 1) / k - n * i / k;
      std::vector<std::uint32_t> r(size + 40, outside);
      for (std::size_t j = 0; j < size; ++j) {
        r[20 + j] = static_cast<std::uint32_t>(random_at(seed() + i, j) % 100000);
      }
      const auto begin = r.begin() + 20;
      if (sorted) std::sort(begin, begin + static_cast<std::ptrdiff_t>(size));
      std::copy(begin, begin + static_cast<std::ptrdiff_t>(size), all.begin() + at);
      at += size;
      memory.push_back(std::move(r));
      runs.push_back({memory.back().data() + 20, size});
    }
  }
};

TEST_P(backend_merges, liars_lose_nothing) {
  on_cores([] {
    unsigned long long counter = 0;
    for (const bool with_memory : {true, false}) {
      for (const std::size_t k : {1, 2, 3, 8, 20, 200}) {
        for (const std::size_t n : {0, 1, 40, 3000, 60000}) {
          if (!with_memory && n > 3000) continue;
          for (const bool sorted : {true, false}) {
            const embedded e(k, n, sorted);
            for (const behavior m : every_inconsistent_comparator) {
              const opaque inconsistent(m, seed(), &counter);
              std::atomic<bool> seen_outside{false};
              const auto comp = [&](std::uint32_t x, std::uint32_t y) {
                if (x == embedded::outside || y == embedded::outside) seen_outside = true;
                return inconsistent(x, y);
              };
              guarded<std::uint32_t> out(n);
              guarded<std::uint32_t> in_place(e.all, 0);
              std::vector<std::uint32_t> values(n);
              guarded<std::uint32_t> keys(n);
              {
                std::unique_ptr<failing_allocations> none;
                if (!with_memory) none = std::make_unique<failing_allocations>(0);
                host::multiway_merge(e.runs.data(), k, out.data(), comp);
                host::multiway_merge_by_key(e.runs.data(), e.runs.data(), k, keys.data(),
                                            values.begin(), comp);
                host::inplace_merge(in_place.data(), e.runs[0].count, n, comp);
              }
              const auto told = [&] { return ::testing::Message() << name_of(m) << k << ' ' << n; };
              EXPECT_TRUE(out.intact() && keys.intact() && in_place.intact()) << told();
              EXPECT_FALSE(seen_outside) << told();
              EXPECT_TRUE(same_multiset(e.all, out.read())) << told();
              EXPECT_TRUE(same_multiset(e.all, in_place.read())) << told();
              EXPECT_TRUE(same_multiset(e.all, keys.read())) << told();
              EXPECT_TRUE(std::equal(values.begin(), values.end(), keys.data())) << told();
              if (k == 2) {
                host::merge(e.runs[0].first, e.runs[0].count, e.runs[1].first, e.runs[1].count,
                            out.data(), comp);
                EXPECT_TRUE(same_multiset(e.all, out.read())) << told();
              }
            }
          }
        }
      }
    }
  });
}

TEST_P(backend_merges, liars_lose_nothing_between_tiles) {
  on_cores([] {
    unsigned long long counter = 0;
    const std::size_t n = 700000;  // two tiles and more where there is one part
    for (const std::size_t k : {3, 12}) {
      const embedded e(k, n, true);
      for (const behavior m : {behavior::random, behavior::slips, behavior::counter}) {
        guarded<std::uint32_t> out(n);
        host::multiway_merge(e.runs.data(), k, out.data(), opaque(m, seed(), &counter));
        EXPECT_TRUE(out.intact()) << name_of(m);
        EXPECT_TRUE(checksum_of(e.all) == checksum_of(out.read())) << name_of(m);
      }
    }
  });
}

TEST_P(backend_merges, a_comparator_that_throws_leaves_the_runs_intact) {
  on_cores([] {
    const std::size_t n = 20000;
    for (const bool with_memory : {true, false}) {
      for (const std::size_t k : {2, 30}) {
        const embedded e(k, n, true);
        const auto before = e.memory;
        std::vector<std::uint32_t> out(n), values(n);
        std::deque<std::uint32_t> d(n);
        for (long long calls = 0; calls < 15000; calls += 1 + calls / 2) {
          std::atomic<long long> made{0};
          const throwing<opaque> comp(opaque(behavior::honest), made, calls);
          std::unique_ptr<failing_allocations> none;
          if (!with_memory) none = std::make_unique<failing_allocations>(0);
          EXPECT_THROW(host::multiway_merge(e.runs.data(), k, out.data(), comp), bomb);
          made = 0;
          EXPECT_THROW(host::multiway_merge(e.runs.data(), k, d.begin(), comp), bomb);
          made = 0;
          EXPECT_THROW(host::multiway_merge_by_key(e.runs.data(), e.runs.data(), k, out.data(),
                                                   values.begin(), comp),
                       bomb);
          if (k == 2) {
            made = 0;
            EXPECT_THROW(host::merge(e.runs[0].first, e.runs[0].count, e.runs[1].first,
                                     e.runs[1].count, out.data(), comp),
                         bomb);
            made = 0;
            auto in_deque = std::deque<std::uint32_t>(e.all.begin(), e.all.end());
            EXPECT_THROW(host::inplace_merge(in_deque.begin(), n / 2, n, comp), bomb);
            made = 0;
            auto in_place = e.all;
            EXPECT_THROW(host::inplace_merge(in_place.data(), n / 2, n, comp), bomb);
            column<std::uint32_t> after(n);
            std::copy(in_deque.begin(), in_deque.end(), after.begin());
            EXPECT_TRUE(same_multiset(after, e.all));
            EXPECT_TRUE(same_multiset(in_place, e.all));
          }
          ASSERT_EQ(e.memory, before);
        }
      }
    }
  });
}

TEST_P(backend_merges, without_memory_they_are_stable_still) {
  on_cores([] {
    for (const std::size_t k : {2, 3, 40}) {
      const auto runs = sorted_runs(std::vector<std::size_t>(k, 20000 / k), 50);
      const auto described_runs = described(runs);
      const auto expected = expected_of(runs, by_first{});
      for (long first = 0; first < 12; ++first) {
        for (const long last : {first + 1, 1l << 30}) {
          const failing_allocations some(first, last);
          std::vector<item> out(expected.size()), keys(expected.size()), values(expected.size());
          host::multiway_merge(described_runs.data(), k, out.data(), by_first{});
          ASSERT_EQ(out, expected);
          host::multiway_merge_by_key(described_runs.data(), described_runs.data(), k, keys.begin(),
                                      values.data(), by_first{});
          ASSERT_EQ(keys, expected);
          ASSERT_EQ(values, expected);
        }
      }
    }
  });
}

TEST(backend_merges, take_as_many_comparisons_as_passes) {
  const auto comparisons = [](const std::vector<std::size_t>& sizes) {
    const auto runs = sorted_runs(sizes, 1000000);
    const auto described_runs = described(runs);
    std::vector<item> out(joined(runs).size());
    std::size_t calls = 0;
    with_cores(1, [&] {
      host::multiway_merge(described_runs.data(), sizes.size(), out.data(),
                           [&](const item& a, const item& b) {
                             ++calls;
                             return a.first < b.first;
                           });
    });
    return static_cast<double>(calls) / static_cast<double>(out.size());
  };
  EXPECT_LT(comparisons(std::vector<std::size_t>(64, 1000)), 6.5);
  // runs that are half as long as the one before: two passes over each element on average
  EXPECT_LT(comparisons({65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64}), 2.2);
}

}  // namespace
}  // namespace kit

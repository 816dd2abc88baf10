// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU backend on what only callables reach.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <gpusort/detail/host/index_sort.hpp>
#include <gpusort/detail/support/order.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../kit/backend.hpp"

namespace kit {
namespace {

/// Elements at the indices from `first` on, whose callables see what is wrong: indices outside,
/// and a place in two swaps at the same time.
template <class T, class Index>
class watched {
 public:
  watched(column<T> elements, Index first)
      : elements_(std::move(elements)), first_(first), busy_(elements_.size()) {}

  const T& at(Index i) { return elements_[place(i)]; }
  void swap(Index i, Index j) {
    const std::size_t a = place(i), b = place(j);
    if (a == b || busy_[a].exchange(true) || busy_[b].exchange(true)) ++faults_;
    std::swap(elements_[a], elements_[b]);
    busy_[a] = false;
    busy_[b] = false;
    ++swaps_;
  }
  const column<T>& elements() const { return elements_; }
  long long faults() const { return faults_; }
  long long swaps() const { return swaps_; }

 private:
  std::size_t place(Index i) {
    const auto p = static_cast<std::size_t>(i - first_);
    if (p < elements_.size()) return p;
    ++faults_;
    return 0;
  }

  column<T> elements_;
  Index first_;
  std::vector<std::atomic<bool>> busy_;
  std::atomic<long long> faults_{0};
  std::atomic<long long> swaps_{0};
};

enum class by { index, fetch };

template <class T, class Index, class Compare>
void sort(by how, watched<T, Index>& w, Index first, Compare comp, bool in_place) {
  const auto swap = [&](Index i, Index j) { w.swap(i, j); };
  const std::uint64_t n = w.elements().size();
  if (how == by::index) {
    const auto compare = [&](Index i, Index j) { return comp(w.at(i), w.at(j)); };
    host::sort_by_index(first, n, compare, swap, in_place);
  } else {
    host::sort_by_fetch(
        first, n, [&](Index i) { return w.at(i); }, comp, swap, in_place);
  }
}

/// Returns what is where in the stable order, and how many cycles that permutation has.
template <class T, class Compare>
std::vector<std::size_t> stable_order(const column<T>& in, Compare comp) {
  std::vector<std::size_t> order(in.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return comp(in[i], in[j]); });
  return order;
}

long long cycles_of(std::vector<std::size_t> next) {
  long long cycles = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i] == next.size()) continue;
    ++cycles;
    for (std::size_t at = i; next[at] != next.size();) {
      at = std::exchange(next[at], next.size());
    }
  }
  return cycles;
}

template <class T, class Index>
void expect_stably_sorted(by how, const column<T>& in, Index first, bool in_place) {
  const opaque comp(behavior::honest);
  watched<T, Index> w(in, first);
  sort(how, w, first, comp, in_place);
  EXPECT_EQ(w.faults(), 0);
  const auto order = stable_order(in, comp);
  for (std::size_t i = 0; i < in.size(); ++i) {
    ASSERT_TRUE(same_bytes(w.elements()[i], in[order[i]])) << i << " of " << in.size();
  }
  if (!in_place) {
    EXPECT_EQ(w.swaps(), static_cast<long long>(in.size()) - cycles_of(order));
  }
}

template <class T>
void expect_all_sorted(int cores) {
  with_cores(cores, [] {
    for (std::size_t n : backend_sizes()) {
      for (auto d : {distribution::uniform, distribution::few_distinct, distribution::sorted,
                     distribution::reverse, distribution::organ_pipe}) {
        const auto in = generate<T>(d, n, seed());
        for (by how : {by::index, by::fetch}) {
          expect_stably_sorted(how, in, std::int64_t{-3}, false);
          if (n < 3000) expect_stably_sorted(how, in, 5, true);
        }
      }
    }
  });
}

TEST(backend_index_sort, short_keys) {
  expect_all_sorted<std::uint32_t>(1);
  expect_all_sorted<record<16>>(4);
}
TEST(backend_index_sort, long_keys) { expect_all_sorted<record<48>>(3); }

TEST(backend_index_sort, at_the_ends_of_the_index_type) {
  using limits = std::numeric_limits<std::int32_t>;
  for (by how : {by::index, by::fetch}) {
    const auto in = generate<std::uint32_t>(distribution::uniform, 1000, seed());
    expect_stably_sorted<std::uint32_t, std::int32_t>(how, in, limits::min(), false);
    expect_stably_sorted<std::uint32_t, std::int32_t>(how, in, limits::max() - 999, false);
    expect_stably_sorted<std::uint32_t, std::uint32_t>(how, in, 0u - 1000, false);
  }
}

TEST(backend_index_sort, fetched_floats_are_in_the_order_of_less) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  column<float> values(9000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t r = random_at(seed(), i);
    values[i] = r % 7 == 0 ? nan : r % 5 == 0 ? -0.0f : static_cast<float>(r % 1000) - 500;
  }
  const auto order = stable_order(values, gpusort::less{});
  watched<float, int> w(values, 0);
  sort(by::fetch, w, 0, gpusort::less{}, false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(same_bytes(w.elements()[i], values[order[i]])) << i;
  }
}

TEST(backend_index_sort, fetched_keys_may_own_something) {
  std::vector<std::string> words(3000);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::to_string(random_at(seed(), i));
  auto expected = words;
  std::sort(expected.begin(), expected.end());
  const auto fetch = [&](int i) { return words[static_cast<std::size_t>(i)]; };
  const auto swap = [&](int i, int j) {
    std::swap(words[static_cast<std::size_t>(i)], words[static_cast<std::size_t>(j)]);
  };
  host::sort_by_fetch(0, words.size(), fetch, std::less<>{}, swap, false);
  EXPECT_EQ(words, expected);
}

TEST(backend_index_sort, inconsistent_comparators_keep_a_permutation) {
  std::atomic<unsigned long long> calls{0};
  for (auto behavior : every_inconsistent_comparator) {
    for (std::size_t n : {2, 33, 1000, 9000}) {
      for (by how : {by::index, by::fetch}) {
        for (bool in_place : {false, true}) {
          if (in_place && n > 1000) continue;
          const auto in = generate<std::uint32_t>(distribution::uniform, n, seed());
          watched<std::uint32_t, int> w(in, 0);
          const opaque inconsistent(behavior, seed());
          const auto counted = [&](const std::uint32_t& a, const std::uint32_t& b) {
            ++calls;
            return inconsistent(a, b);
          };
          calls = 0;
          with_cores(4, [&] { sort(how, w, 0, counted, in_place); });
          ASSERT_TRUE(same_multiset(in, w.elements())) << name_of(behavior) << ", n = " << n;
          EXPECT_EQ(w.faults(), 0);
          EXPECT_LE(calls, n * (in_place ? 400 : 40)) << name_of(behavior) << ", n = " << n;
          if (!in_place) {
            EXPECT_LT(w.swaps(), static_cast<long long>(n));
          }
        }
      }
    }
  }
}

TEST(backend_index_sort, what_compare_throws_leaves_before_anything_moved) {
  for (std::size_t n : {20, 1000, 9000}) {
    const auto in = generate<std::uint32_t>(distribution::uniform, n, seed());
    for (by how : {by::index, by::fetch}) {
      for (long long k : {0, 1, 100, 5000}) {
        std::atomic<long long> calls{0};
        watched<std::uint32_t, int> w(in, 0);
        const throwing<opaque> comp(opaque(behavior::honest), calls, k);
        const auto call = [&] { sort(how, w, 0, comp, false); };
        with_cores(4, [&] {
          try {
            call();
            EXPECT_LE(calls.load(), k);
          } catch (const bomb&) {
            EXPECT_EQ(w.swaps(), 0);
            EXPECT_TRUE(std::equal(in.begin(), in.end(), w.elements().begin()));
          }
        });
      }
    }
  }
}

TEST(backend_index_sort, what_swap_throws_loses_nothing) {
  const auto in = generate<std::uint32_t>(distribution::uniform, 9000, seed());
  for (long long k : {0, 1, 4000}) {
    auto out = in;
    std::atomic<long long> calls{0};
    const auto compare = [&](std::size_t i, std::size_t j) { return out[i] < out[j]; };
    const auto swap = [&](std::size_t i, std::size_t j) {
      if (calls++ >= k) throw bomb{};
      std::swap(out[i], out[j]);
    };
    with_cores(4, [&] {
      EXPECT_THROW(host::sort_by_index(std::size_t{0}, in.size(), compare, swap, false), bomb);
    });
    EXPECT_TRUE(same_multiset(in, out)) << k;
  }
}

TEST(backend_index_sort, goes_on_without_memory) {
  for (std::size_t n : {33, 1000, 5000}) {
    const auto in = generate<record<16>>(distribution::few_distinct, n, seed());
    for (long first : {0, 1, 2, 3}) {
      for (long last : {first + 1, 1l << 30}) {
        for (by how : {by::index, by::fetch}) {
          with_cores(4, [&] {
            const failing_allocations some(first, last);
            watched<record<16>, int> w(in, 0);
            sort(how, w, 0, opaque(behavior::honest), false);
            EXPECT_EQ(w.faults(), 0);
            const auto order = stable_order(in, opaque(behavior::honest));
            for (std::size_t i = 0; i < n; ++i) {
              ASSERT_TRUE(same_bytes(w.elements()[i], in[order[i]])) << i << " of " << n;
            }
            if (first == 0) {
              EXPECT_GT(failing_allocations::failed(), 0);
            }
          });
        }
      }
    }
  }
}

struct position {
  std::uint32_t index;
};

/// Applies the permutation on that many cores, and examines what came of it.
void expect_applied(const std::vector<std::uint32_t>& next, int cores) {
  const std::size_t n = next.size();
  std::vector<position> positions(n);
  for (std::size_t i = 0; i < n; ++i) positions[i].index = next[i];
  column<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0u);
  watched<std::uint32_t, std::size_t> w(places, 0);
  const auto swap = [&](std::size_t i, std::size_t j) { w.swap(i, j); };
  with_cores(cores, [&] {
    host::swap_permutation<position, decltype(swap)>(n, positions.data(), swap).apply();
  });
  ASSERT_TRUE(std::equal(next.begin(), next.end(), w.elements().begin())) << n << ' ' << cores;
  EXPECT_EQ(w.faults(), 0);
  const std::vector<std::size_t> wide(next.begin(), next.end());
  EXPECT_EQ(w.swaps(), static_cast<long long>(n) - cycles_of(wide));
}

TEST(backend_swap_permutation, all_of_up_to_seven_places) {
  for (std::size_t n = 1; n <= 7; ++n) {
    std::vector<std::uint32_t> next(n);
    std::iota(next.begin(), next.end(), 0u);
    do {
      expect_applied(next, 1);
    } while (std::next_permutation(next.begin(), next.end()));
  }
}

TEST(backend_swap_permutation, cycles_of_all_lengths) {
  const std::size_t n = 60000;
  for (std::size_t length : {std::size_t{2}, std::size_t{3}, std::size_t{100}, std::size_t{777},
                             std::size_t{20000}, n}) {
    std::vector<std::uint32_t> upwards(n), downwards(n), shuffled(n), order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(seed())));
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = i / length * length, own = std::min(length, n - first);
      const std::size_t after = first + (i - first + 1) % own;
      upwards[i] = static_cast<std::uint32_t>(after);
      downwards[after] = static_cast<std::uint32_t>(i);
      shuffled[order[i]] = order[after];
    }
    for (int cores : {1, 2, 5}) {
      for (const auto* next : {&upwards, &downwards, &shuffled}) expect_applied(*next, cores);
    }
  }
}

TEST(backend_swap_permutation, random_ones) {
  for (std::size_t n : {256, 257, 1000, 4095, 100003}) {
    std::vector<std::uint32_t> next(n);
    std::iota(next.begin(), next.end(), 0u);
    for (unsigned salt = 0; salt < 4; ++salt) {
      std::shuffle(next.begin(), next.end(), std::mt19937(static_cast<unsigned>(seed()) + salt));
      for (int cores : {1, 4}) expect_applied(next, cores);
    }
  }
}

}  // namespace
}  // namespace kit

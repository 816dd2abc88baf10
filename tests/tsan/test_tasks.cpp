// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU backend does in parallel, under ThreadSanitizer, which ends the program where it
// sees a race: every call that divides its work, and calls of several threads at once. Tasks are
// threads here (oneapi/tbb/parallel_invoke.h). That results are right with several cores is the
// business of backend/; here they are checked so that no call is left out by mistake.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <gpusort/gpusort.hpp>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "../kit/environment.hpp"

namespace {

using gpusort::par_gpu;
using numbers = std::vector<std::uint32_t>;

constexpr std::size_t n = 120007;  // several tasks of the smallest size, and odd halves

numbers some(std::size_t count, std::uint32_t distinct = 1u << 31) {
  numbers all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<std::uint32_t>(kit::random_at(kit::seed(), i) % distinct);
  }
  return all;
}

numbers sorted(numbers all) {
  std::sort(all.begin(), all.end());
  return all;
}

numbers places(std::size_t count) {
  numbers all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// Returns one of the two runs, or of the many, that are merged: cut at `offsets`, each of them
/// sorted.
numbers runs(const std::vector<std::size_t>& offsets) {
  numbers all = some(offsets.back(), 5000);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::sort(all.data() + offsets[i], all.data() + offsets[i + 1]);
  }
  return all;
}

TEST(tsan, sort) {
  for (const numbers& in : {some(n), some(n, 7), sorted(some(n)), places(n)}) {
    numbers out = in;
    gpusort::sort(par_gpu, out.begin(), out.end());
    EXPECT_EQ(out, sorted(in));
    out = in;
    gpusort::stable_sort(par_gpu, out.begin(), out.end(), std::greater<>{});
    EXPECT_TRUE(std::equal(out.rbegin(), out.rend(), sorted(in).begin()));
    out = in;
    gpusort::sort(par_gpu.with(gpusort::in_place), out.begin(), out.end(), std::less<>{});
    EXPECT_EQ(out, sorted(in));
  }
}

TEST(tsan, sort_of_any_iterator_by_key_and_of_places) {
  const numbers in = some(n, 5000);
  std::deque<std::uint32_t> elsewhere(in.begin(), in.end());
  gpusort::sort(par_gpu, elsewhere.begin(), elsewhere.end());
  EXPECT_TRUE(std::is_sorted(elsewhere.begin(), elsewhere.end()));

  numbers keys = in, values = places(n), order(n);
  std::vector<double> more(in.begin(), in.end());
  gpusort::stable_sort_by_key(par_gpu, keys.begin(), keys.end(), values.begin(), more.begin());
  gpusort::argsort(par_gpu, in.begin(), in.end(), order.begin());
  EXPECT_EQ(values, order);
  EXPECT_TRUE(std::equal(keys.begin(), keys.end(), more.begin()));
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, keys.begin(), keys.end()));
  EXPECT_FALSE(gpusort::is_sorted(par_gpu, in.begin(), in.end()));
}

TEST(tsan, sort_of_indices) {
  for (bool is_stable : {false, true}) {
    numbers data = some(n, 5000);
    const numbers expected = sorted(data);
    const auto swap = [&](std::size_t i, std::size_t j) { std::swap(data[i], data[j]); };
    const auto fetch = [&](std::size_t i) { return data[i]; };
    const auto compare = [&](std::size_t i, std::size_t j) { return data[i] < data[j]; };
    if (is_stable) {
      gpusort::stable_sort(par_gpu, std::size_t{0}, n, fetch, std::less<>{}, swap);
    } else {
      gpusort::sort(par_gpu, std::size_t{0}, n, compare, swap);
    }
    EXPECT_EQ(data, expected);
  }
}

TEST(tsan, merges) {
  const numbers two = runs({0, n / 3, n});
  const auto middle = two.begin() + n / 3;
  numbers out(n), values(n), in_place = two;
  gpusort::merge(par_gpu, two.begin(), middle, middle, two.end(), out.begin());
  EXPECT_EQ(out, sorted(two));
  gpusort::merge_by_key(par_gpu, two.begin(), middle, middle, two.end(), two.begin(), middle,
                        out.begin(), values.begin());
  EXPECT_EQ(values, out);
  gpusort::inplace_merge(par_gpu, in_place.begin(), in_place.begin() + n / 3, in_place.end());
  EXPECT_EQ(in_place, out);
  in_place = two;
  gpusort::inplace_merge(par_gpu.with(gpusort::in_place), in_place.begin(),
                         in_place.begin() + n / 3, in_place.end());
  EXPECT_EQ(in_place, out);

  for (const std::vector<std::size_t>& offsets :
       {std::vector<std::size_t>{0, 5, n / 3, n / 2, n - 1, n}, {0, 1000, 50000, 50000, n}}) {
    const numbers many = runs(offsets);
    gpusort::multiway_merge(par_gpu, many.begin(), offsets.begin(), offsets.end(), out.begin());
    EXPECT_EQ(out, sorted(many));
  }
}

TEST(tsan, segmented_sort) {
  const std::vector<std::size_t> offsets = {0, 10, 20, 70000, 70001, 90000, n};
  const numbers in = some(n);
  numbers keys = in, values = in;
  gpusort::segmented_sort(par_gpu, keys.begin(), keys.end(), offsets.begin(), offsets.end());
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    EXPECT_TRUE(std::is_sorted(keys.data() + offsets[i], keys.data() + offsets[i + 1]));
  }
  keys = in;
  gpusort::stable_segmented_sort_by_key(par_gpu, keys.begin(), keys.end(), values.begin(),
                                        offsets.begin(), offsets.end());
  EXPECT_EQ(keys, values);
}

TEST(tsan, exceptions) {
  numbers data = some(n);
  const numbers before = sorted(data);
  std::atomic<int> calls{0};
  const auto throws = [&](std::uint32_t a, std::uint32_t b) {
    if (calls.fetch_add(1, std::memory_order_relaxed) >= 300000) throw std::runtime_error("mine");
    return a < b;
  };
  EXPECT_THROW(gpusort::sort(par_gpu, data.begin(), data.end(), throws), std::runtime_error);
  EXPECT_EQ(sorted(data), before);
}

TEST(tsan, calls_of_several_threads) {
  const numbers in = some(n / 3), expected = sorted(in);
  std::vector<numbers> out(3, in);
  std::vector<std::thread> threads;
  for (numbers& mine : out) {
    threads.emplace_back([&mine] { gpusort::sort(par_gpu, mine.begin(), mine.end()); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const numbers& mine : out) EXPECT_EQ(mine, expected);
}

}  // namespace

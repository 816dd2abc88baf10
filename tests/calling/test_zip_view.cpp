// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators of std::views::zip, where the standard library has it.
#include <gtest/gtest.h>

#include <gpusort/gpusort.hpp>
#if __has_include(<version>)
#include <version>
#endif

#if defined(__cpp_lib_ranges_zip)
#include <algorithm>
#include <cstddef>
#include <deque>
#include <ranges>
#include <tuple>
#include <vector>

#include "../kit/random.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

struct columns {
  std::vector<int> a;
  std::deque<double> b;
  std::vector<std::size_t> from;

  explicit columns(std::size_t n) : a(n), b(n), from(n) {
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<int>(random_at(seed(), i) % 13);
      b[i] = static_cast<double>(random_at(seed() + 1, i) % 17);
      from[i] = i;
    }
  }
};

constexpr std::size_t sizes[] = {0, 1, 2, 33, 5000};

TEST(zip_view, is_sorted_by_its_columns) {
  const auto order =
      gpusort::order_by(gpusort::asc(gpusort::element<0>), gpusort::desc(gpusort::element<1>));
  for (const std::size_t n : sizes) {
    const columns input(n);
    columns c = input;
    const auto keys = std::views::zip(c.a, c.b);
    std::vector<std::size_t> indices(n);
    gpusort::argsort(par_gpu, keys.begin(), keys.end(), indices.begin(), order);
    gpusort::stable_sort_by_key(par_gpu, keys.begin(), keys.end(), c.from.begin(), order);
    EXPECT_EQ(c.from, indices);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(c.a[i], input.a[indices[i]]);
      ASSERT_EQ(c.b[i], input.b[indices[i]]);
    }
    EXPECT_TRUE(gpusort::is_sorted(par_gpu, keys.begin(), keys.end(), order));
    for (std::size_t i = 1; i < n; ++i) {
      ASSERT_TRUE(c.a[i - 1] < c.a[i] || (c.a[i - 1] == c.a[i] && c.b[i - 1] >= c.b[i]));
    }
  }
}

TEST(zip_view, is_sorted_by_default_and_by_a_comparator) {
  for (const std::size_t n : sizes) {
    columns c(n);
    const auto rows = std::views::zip(c.a, c.b, c.from);
    gpusort::sort(par_gpu, rows.begin(), rows.end());
    EXPECT_TRUE(std::ranges::is_sorted(rows));
    gpusort::sort(par_gpu.with(gpusort::verify), rows.begin(), rows.end(),
                  [](const auto& x, const auto& y) { return std::get<2>(x) < std::get<2>(y); });
    const columns input(n);
    EXPECT_TRUE(c.a == input.a && c.b == input.b && c.from == input.from);
  }
}

TEST(zip_view, goes_along_as_values) {
  columns c(1000);
  const auto values = std::views::zip(c.a, c.b);
  gpusort::sort_by_key(par_gpu, c.from.begin(), c.from.end(), values.begin(), gpusort::greater{});
  const columns input(1000);
  EXPECT_TRUE(std::equal(c.a.begin(), c.a.end(), input.a.rbegin()));
  EXPECT_TRUE(std::equal(c.b.begin(), c.b.end(), input.b.rbegin()));
}

}  // namespace
}  // namespace kit
#endif

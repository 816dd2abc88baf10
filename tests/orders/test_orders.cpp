// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default order of pairs, tuples and arrays; answers that only convert to bool; projections
// without a comparator.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <gpusort/gpusort.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using nested = std::pair<std::tuple<int, float>, std::array<int, 3>>;

std::vector<nested> nested_elements(int n) {
  std::vector<nested> v;
  for (int i = 0; i < n; ++i) {
    const unsigned r = static_cast<unsigned>(i) * 2654435761u >> 8;
    v.push_back({{static_cast<int>(r % 5), static_cast<float>(r / 5 % 3)},
                 {{static_cast<int>(r % 7), static_cast<int>(r % 2), i}}});
  }
  return v;
}

TEST(orders, of_nested_elements_are_lexicographic) {
  for (int n : {2, 100, 100000}) {
    const std::vector<nested> input = nested_elements(n);
    std::vector<nested> expected = input, result = input;
    std::sort(expected.begin(), expected.end());
    gpusort::sort(gpusort::par_gpu, result.begin(), result.end());
    EXPECT_TRUE(result == expected);
    EXPECT_TRUE(gpusort::is_sorted(gpusort::par_gpu, result.begin(), result.end()));
    gpusort::stable_sort(gpusort::par_gpu, result.begin(), result.end(), std::greater<>{});
    std::reverse(expected.begin(), expected.end());
    EXPECT_TRUE(result == expected);
  }
}

/// Makes long doubles, at places that a double has in the same order, NaNs of both signs among
/// them.
std::vector<std::pair<long double, double>> with_doubles(int n) {
  const double special[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e-300, -1e300};
  std::vector<std::pair<long double, double>> v;
  for (int i = 0; i < n; ++i) {
    const unsigned r = static_cast<unsigned>(i) * 2654435761u >> 7;
    const double x = r % 3 == 0 ? special[r / 3 % 8] : r % 1000 * 0.25 - 100;
    v.push_back({static_cast<long double>(x), x});
  }
  return v;
}

TEST(orders, of_long_doubles_are_those_of_doubles) {
  const auto as_double = [](const auto& x) { return x.second; };
  const auto as_long_double = [](const auto& x) { return x.first; };
  for (int n : {2, 100, 3000}) {
    const auto input = with_doubles(n);
    const auto same = [](const auto& a, const auto& b) {
      return std::memcmp(&a.second, &b.second, sizeof(double)) == 0;
    };
    const auto sorted_by = [&](auto compare, auto projection) {
      auto v = input;
      gpusort::stable_sort(gpusort::par_gpu, v.begin(), v.end(), compare, projection);
      EXPECT_TRUE(gpusort::is_sorted(gpusort::par_gpu, v.begin(), v.end(), compare, projection));
      return v;
    };
    const auto expect_same = [&](const auto& a, const auto& b) {
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), same)) << n;
    };
    expect_same(sorted_by(gpusort::less{}, as_long_double), sorted_by(gpusort::less{}, as_double));
    expect_same(sorted_by(std::greater<>{}, as_long_double),
                sorted_by(std::greater<>{}, as_double));
    using gpusort::asc, gpusort::element, gpusort::order_by;
    expect_same(sorted_by(order_by(asc(element<0>).nan_first()), gpusort::detail::identity{}),
                sorted_by(order_by(asc(element<1>).nan_first()), gpusort::detail::identity{}));
  }
}

struct answer {
  bool value;
  explicit operator bool() const { return value; }
};
struct answering {
  answer operator()(int a, int b) const { return {a < b}; }
};

TEST(orders, answers_may_convert_explicitly) {
  std::vector<int> v = {3, 1, 2};
  gpusort::sort(gpusort::par_gpu, v.begin(), v.end(), answering{});
  EXPECT_EQ(v, (std::vector<int>{1, 2, 3}));
}

struct record {
  int a, b;
};

TEST(orders, a_projection_needs_no_comparator) {
  std::vector<record> v = {{1, 3}, {2, 1}, {3, 2}};
  gpusort::sort(gpusort::par_gpu, v.begin(), v.end(), {}, &record::b);
  EXPECT_EQ(v[0].b, 1);
  gpusort::stable_sort(gpusort::par_gpu, v.begin(), v.end(), {}, &record::a);
  EXPECT_EQ(v[0].a, 1);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled so that reading a bool of another byte than 0 and 1 as a bool ends the program
// (tests/CMakeLists.txt).
#include "bools_of_any_byte.hpp"

#include <deque>
#include <gpusort/merge.hpp>
#include <gpusort/segmented_sort.hpp>
#include <utility>

namespace kit {
namespace {

using gpusort::par_gpu;

TEST(bools_of_any_byte, are_sorted) {
  for (std::size_t n : {0, 1, 2, 100, 3000, 70000}) {
    expect_bools_sort(par_gpu.with(gpusort::verify), n);
    expect_bools_sort(par_gpu.with(gpusort::in_place), n, gpusort::greater{}, false);
    expect_bools_sort_stably(par_gpu, n);
    expect_bools_sort_stably(par_gpu, n, std::greater<bool>{}, false);
    expect_bools_sort_by_key(par_gpu, n);
  }
}

TEST(bools_of_any_byte, are_true_or_false_to_a_comparator) {
  for (std::size_t n : {2, 100, 3000}) expect_bools_sort_stably(par_gpu, n, trues_first{}, false);
}

TEST(bools_of_any_byte, are_true_or_false_to_a_projection) {
  const auto number = [](bool x) { return x ? 3 : 7; };
  bytes b = bytes_of_bools(3000);
  const bytes expected = stably_sorted(b, false);
  gpusort::stable_sort(par_gpu, as_bools(b), as_bools(b) + 3000, {}, number);
  EXPECT_EQ(b, expected);
}

TEST(bools_of_any_byte, in_every_other_call) {
  const std::size_t n = 1000, half = 400;
  const bytes in = bytes_of_bools(n), expected = stably_sorted(in);
  bytes b = in, merged(n);
  std::vector<std::uint32_t> order(n);
  gpusort::argsort(par_gpu, as_bools(in), as_bools(in) + n, order.begin());
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(in[order[i]], expected[i]);
  const std::size_t offsets[] = {0, half, n};
  bool* const first = as_bools(b);
  gpusort::stable_segmented_sort(par_gpu, first, first + n, offsets, offsets + 3);
  EXPECT_FALSE(gpusort::is_sorted(par_gpu, first, first + n));
  gpusort::merge(par_gpu, first, first + half, first + half, first + n, as_bools(merged));
  EXPECT_EQ(merged, expected);
  gpusort::multiway_merge(par_gpu, first, offsets, offsets + 3, as_bools(merged));
  EXPECT_EQ(merged, expected);
  gpusort::inplace_merge(par_gpu, first, first + half, first + n);
  EXPECT_EQ(b, expected);
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, first, first + n));
}

struct flagged {
  bool flag;
  bool has_value;
  short number;
};

TEST(bools_of_any_byte, as_members) {
  using gpusort::asc, gpusort::desc, gpusort::order_by;
  const std::size_t n = 3000;
  const bytes raw = bytes_of_bools(n * sizeof(flagged));
  std::vector<flagged> records(n);
  std::memcpy(records.data(), raw.data(), raw.size());
  const auto at = [](const flagged& r, std::size_t i) {
    return reinterpret_cast<const unsigned char*>(&r)[i] != 0;
  };
  const auto expect_order = [&](auto before, auto... order) {
    auto expected = records, found = records;
    std::stable_sort(expected.begin(), expected.end(), before);
    gpusort::stable_sort(par_gpu, found.begin(), found.end(), order...);
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), raw.size()), 0);
  };
  expect_order([&](const auto& a, const auto& b) { return at(a, 0) < at(b, 0); }, gpusort::less{},
               &flagged::flag);
  expect_order(
      [&](const auto& a, const auto& b) {
        return std::pair(at(b, 0), a.number) < std::pair(at(a, 0), b.number);
      },
      order_by(desc(&flagged::flag), asc<&flagged::number>()));
  expect_order(
      [&](const auto& a, const auto& b) {
        return std::pair(at(a, 1), at(a, 1) && at(a, 0)) <
               std::pair(at(b, 1), at(b, 1) && at(b, 0));
      },
      order_by(asc(&flagged::flag).nulls_first(&flagged::has_value)));
}

TEST(bools_of_any_byte, in_pairs) {
  using pair = std::pair<bool, unsigned char>;
  const bytes in = bytes_of_bools(2000);
  bytes b = in;
  auto* const pairs = reinterpret_cast<pair*>(b.data());
  gpusort::stable_sort(par_gpu, pairs, pairs + 1000, gpusort::greater{});
  for (std::size_t i = 2; i < b.size(); i += 2) {
    EXPECT_GE(std::pair(b[i - 2] != 0, b[i - 1]), std::pair(b[i] != 0, b[i + 1])) << i;
  }
}

TEST(bools_of_any_byte, behind_other_iterators) {
  const bytes in = bytes_of_bools(3000);
  std::deque<bool> d(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) std::memcpy(&d[i], &in[i], 1);
  gpusort::stable_sort(par_gpu, d.begin(), d.end());
  bytes b(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) std::memcpy(&b[i], &d[i], 1);
  EXPECT_EQ(b, stably_sorted(in));
  b = in;
  gpusort::stable_sort(par_gpu, std::make_reverse_iterator(as_bools(b) + b.size()),
                       std::make_reverse_iterator(as_bools(b)), trues_first{});
  EXPECT_TRUE(std::is_partitioned(b.begin(), b.end(), [](auto x) { return x == 0; }));
}

}  // namespace
}  // namespace kit

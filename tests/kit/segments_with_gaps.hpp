// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segmented sorts by the offsets of begins and of ends: shared by the tests on the CPU and those on
// a device.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/segmented_sort.hpp>
#include <stdexcept>
#include <vector>

#include "backend.hpp"

namespace kit {

using offsets32 = std::vector<std::uint32_t>;

struct gapped_segments {
  offsets32 begins, ends;
};

/// Makes segments of any lengths, empty ones too, some with gaps between.
inline gapped_segments random_segments(std::size_t n) {
  gapped_segments s;
  std::size_t at = n > 20 ? 3 : 0;
  for (std::size_t i = 0; at < n; ++i) {
    const std::size_t length = random_at(seed(), 2 * i) % (i % 7 == 0 ? 1500 : 20);
    const std::size_t end = std::min(n, at + length);
    s.begins.push_back(static_cast<std::uint32_t>(at));
    s.ends.push_back(static_cast<std::uint32_t>(end));
    at = end + random_at(seed(), 2 * i + 1) % 4;
  }
  return s;
}

template <class T, class Compare>
column<T> sorted_in_segments(column<T> values, const gapped_segments& s, Compare comp) {
  for (std::size_t i = 0; i < s.begins.size(); ++i) {
    std::stable_sort(values.begin() + s.begins[i], values.begin() + s.ends[i], comp);
  }
  return values;
}

template <class T, class Memory>
void expect_column(const guarded<T, Memory>& found, const column<T>& expected, const char* what) {
  const auto out = found.read();
  EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin(), same_bytes<T>))
      << what << ", n = " << out.size();
  EXPECT_TRUE(found.intact());
}

/// Checks all four calls, with offsets in that memory.
template <class Policy, class Memory>
void segments_hold(const Policy& policy, std::size_t n, Memory memory) {
  using u32 = std::uint32_t;
  const gapped_segments s = random_segments(n);
  column<u32> begins(s.begins.size()), ends(s.ends.size());
  std::copy(s.begins.begin(), s.begins.end(), begins.begin());
  std::copy(s.ends.begin(), s.ends.end(), ends.begin());
  const guarded<u32, Memory> from(begins, 1, memory), to(ends, 3, memory);
  const auto in = generate<u32>(distribution::uniform, n, seed());
  const auto expected = sorted_in_segments(in, s, std::less<>{});
  column<std::uint64_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = in[i] * std::uint64_t{3};
  const auto expected_values = sorted_in_segments(values, s, std::less<>{});
  const auto backwards = sorted_in_segments(in, s, std::greater<>{});

  const guarded<u32, Memory> a(in, 1, memory), b(in, 2, memory), c(in, 0, memory), d(in, 3, memory);
  const guarded<std::uint64_t, Memory> c_values(values, 1, memory), d_values(values, 0, memory);
  gpusort::segmented_sort(policy, a.begin(), a.end(), from.begin(), from.end(), to.begin());
  expect_column(a, expected, "segmented_sort");
  gpusort::stable_segmented_sort(policy, b.begin(), b.end(), from.begin(), from.end(), to.begin(),
                                 gpusort::greater{});
  expect_column(b, backwards, "stable_segmented_sort");
  gpusort::segmented_sort_by_key(policy, c.begin(), c.end(), c_values.begin(), from.begin(),
                                 from.end(), to.begin());
  expect_column(c, expected, "segmented_sort_by_key");
  expect_column(c_values, expected_values, "its values");
  gpusort::stable_segmented_sort_by_key(policy, d.begin(), d.end(), d_values.begin(), from.begin(),
                                        from.end(), to.begin(), {});
  expect_column(d, expected, "stable_segmented_sort_by_key");
  expect_column(d_values, expected_values, "its values");
}

/// Makes segments that are overlapping, out of their order, backwards, and outside a range of 10.
inline std::vector<gapped_segments> wrong_segments() {
  return {{{0, 4}, {5, 9}}, {{5, 0}, {9, 5}}, {{3}, {2}}, {{0, 2}, {6, 2}}};
}

template <class Policy>
void wrong_segments_are_refused(const Policy& policy) {
  auto all = wrong_segments();
  all.push_back({{0, 5}, {5, 11}});
  const std::vector<int> in{9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  for (const gapped_segments& s : all) {
    auto data = in;
    EXPECT_THROW(gpusort::segmented_sort(policy, data.begin(), data.end(), s.begins.begin(),
                                         s.begins.end(), s.ends.begin()),
                 std::invalid_argument);
    EXPECT_EQ(data, in);
  }
  auto data = in;
  const std::vector<int> negative{-1}, end{3};
  EXPECT_THROW(gpusort::segmented_sort(policy, data.begin(), data.end(), negative.begin(),
                                       negative.end(), end.begin()),
               std::invalid_argument);
  gpusort::segmented_sort(policy, data.begin(), data.end(), end.begin(), end.begin(), end.begin());
  EXPECT_EQ(data, in);
}

}  // namespace kit

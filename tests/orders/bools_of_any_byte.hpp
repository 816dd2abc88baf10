// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bools whose bytes need not be 0 or 1, as in a view of bytes as bools: any byte but 0 is
// true, falses are before trues, every byte is kept, and stable calls keep equal ones in order.
// Shared by tests/orders/test_bools_of_any_byte.cpp, where the compiler traps what is read as a
// bool, and tests/orders/test_bools_of_any_byte.cu.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gpusort/sort.hpp>
#include <numeric>
#include <vector>

#include "../kit/column.hpp"
#include "../kit/random.hpp"

namespace kit {

using bytes = std::vector<unsigned char>;

/// Returns bytes of which every third or so is 0.
inline bytes bytes_of_bools(std::size_t n) {
  bytes all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed(), i);
    all[i] = r % 3 == 0 ? 0 : static_cast<unsigned char>(r >> 8);
  }
  return all;
}

inline bool* as_bools(bytes& b) { return reinterpret_cast<bool*>(b.data()); }
inline const bool* as_bools(const bytes& b) { return reinterpret_cast<const bool*>(b.data()); }

template <class T>
column<T> column_of(const std::vector<T>& v) {
  column<T> c(v.size());
  std::copy(v.begin(), v.end(), c.begin());
  return c;
}
template <class T>
std::vector<T> vector_of(const column<T>& c) {
  return {c.begin(), c.end()};
}

/// Returns the stable order, falses first or last.
inline bytes stably_sorted(bytes b, bool ascending = true) {
  std::stable_partition(b.begin(), b.end(), [=](unsigned char x) { return (x == 0) == ascending; });
  return b;
}

/// Expects an order of the same bytes.
inline void expect_sorted_bools(bytes found, bytes in, bool ascending = true) {
  EXPECT_TRUE(std::is_partitioned(found.begin(), found.end(), [=](unsigned char x) {
    return (x == 0) == ascending;
  })) << in.size();
  std::sort(found.begin(), found.end());
  std::sort(in.begin(), in.end());
  EXPECT_EQ(found, in) << "bytes were changed";
}

/// An order that the library does not know, right for true and false only.
struct trues_first {
  GPUSORT_HOST_DEVICE bool operator()(bool a, bool b) const {
    return static_cast<int>(a) * 2 - 1 > static_cast<int>(b);
  }
};

template <class Policy, class Compare = gpusort::less>
void expect_bools_sort(const Policy& policy, std::size_t n, Compare compare = {},
                       bool ascending = true) {
  const bytes in = bytes_of_bools(n);
  bytes b = in;
  gpusort::sort(policy, as_bools(b), as_bools(b) + n, compare);
  expect_sorted_bools(b, in, ascending);
}

template <class Policy, class Compare = gpusort::less>
void expect_bools_sort_stably(const Policy& policy, std::size_t n, Compare compare = {},
                              bool ascending = true) {
  bytes b = bytes_of_bools(n);
  const bytes expected = stably_sorted(b, ascending);
  gpusort::stable_sort(policy, as_bools(b), as_bools(b) + n, compare);
  EXPECT_EQ(b, expected) << n;
}

template <class Policy, class Compare = gpusort::less>
void expect_bools_sort_by_key(const Policy& policy, std::size_t n, Compare compare = {},
                              bool ascending = true) {
  const bytes in = bytes_of_bools(n);
  bytes b = in;
  std::vector<std::uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0u);
  gpusort::stable_sort_by_key(policy, as_bools(b), as_bools(b) + n, values.begin(), compare);
  EXPECT_EQ(b, stably_sorted(in, ascending)) << n;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(b[i], in[values[i]]) << n;
    ASSERT_TRUE(i == 0 || (b[i] == 0) != (b[i - 1] == 0) || values[i - 1] < values[i]) << n;
  }
}

}  // namespace kit

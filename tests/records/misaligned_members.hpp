// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of records that are declared without padding, which orders and projections name by
// pointers: shared by tests/records/test_misaligned_members.cpp, where the compiler traps what is
// read misaligned, and tests/records/test_misaligned_members.cu.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gpusort/sort.hpp>
#include <vector>

#include "../kit/random.hpp"

namespace kit {

struct half_aligned {
  std::int16_t low;
  std::int32_t high;
};

#pragma pack(push, 1)
struct unpadded {
  std::uint8_t tag;
  std::int32_t a;
  std::int16_t b;
  double d;
  half_aligned part;
  bool has_value;
  char name[4];
};
#pragma pack(pop)
static_assert(sizeof(unpadded) == 28 && alignof(unpadded) == 1);

inline std::vector<unpadded> unpadded_records(std::size_t n) {
  std::vector<unpadded> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed(), i);
    const auto few = [&](int bit) { return static_cast<std::int32_t>(r >> bit & 7) - 3; };
    const half_aligned part = {static_cast<std::int16_t>(i), few(9)};
    all[i] = {static_cast<std::uint8_t>(r),
              few(0),
              static_cast<std::int16_t>(few(3)),
              few(6) * 0.5,
              part,
              (r & 1 << 12) != 0,
              {'n', static_cast<char>(r >> 13 & 3), 'm', 'e'}};
  }
  return all;
}

inline bool are_same(const std::vector<unpadded>& a, const std::vector<unpadded>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(unpadded)) == 0);
}

/// Expects that gpusort's stable sort by `compare` and `projection` is that by `before`.
template <class Policy, class Compare, class Projection, class Before>
void expect_stable_order(const Policy& policy, std::size_t n, Compare compare,
                         Projection projection, Before before) {
  const auto in = unpadded_records(n);
  auto expected = in, found = in;
  std::stable_sort(expected.begin(), expected.end(), before);
  gpusort::stable_sort(policy, found.begin(), found.end(), compare, projection);
  EXPECT_TRUE(are_same(found, expected)) << n;
}

/// Returns whether a was made before b in the order of a key that is copied from each.
template <class Key>
auto by_copied(Key key) {
  return [key](const unpadded& a, const unpadded& b) { return key(a) < key(b); };
}

/// Some order that the library does not know.
struct by_last_digit {
  GPUSORT_HOST_DEVICE bool operator()(std::int32_t a, std::int32_t b) const {
    return (a & 3) < (b & 3);
  }
};

/// Sorts by pointers to members, at run time and in the type, of parts, with nulls and NaNs.
template <class Policy>
void orders_of_misaligned_members(const Policy& policy, std::size_t n) {
  using gpusort::asc, gpusort::desc, gpusort::order_by;
  expect_stable_order(policy, n, order_by(asc(&unpadded::a), desc(&unpadded::b)),
                      gpusort::detail::identity{},
                      by_copied([](unpadded x) { return std::pair<int, int>(+x.a, -x.b); }));
  expect_stable_order(
      policy, n,
      order_by(desc<&unpadded::d>().nan_last(),
               asc(&unpadded::part, &half_aligned::high).nulls_first(&unpadded::has_value)),
      gpusort::detail::identity{}, by_copied([](unpadded x) {
        return std::pair<double, int>(-x.d, x.has_value ? +x.part.high : -100);
      }));
}

template <class Policy>
void projections_to_misaligned_members(const Policy& policy, std::size_t n) {
  expect_stable_order(policy, n, by_last_digit{}, &unpadded::a,
                      by_copied([](unpadded x) { return x.a & 3; }));
}

}  // namespace kit

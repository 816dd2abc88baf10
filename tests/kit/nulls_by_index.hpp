// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders whose nulls are told by the elements' indices, against std::stable_sort.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/sort.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "column.hpp"
#include "random.hpp"
#include "red_zones.hpp"

namespace kit {

struct reading {
  std::int32_t station;
  float value;
  char name[5];
  bool has_name;
};

/// Records of few values, a bitmap for the station and flags for the value; names tell themselves.
struct readings {
  column<reading> rows;
  column<std::uint32_t> has_station;
  column<bool> has_value;

  explicit readings(std::size_t n) : rows(n), has_station(n / 32 + 1), has_value(n) {
    for (std::size_t i = 0; i < has_station.size(); ++i) {
      has_station[i] = static_cast<std::uint32_t>(random_at(seed(), i) | random_at(seed() + 1, i));
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t r = random_at(seed() + 2, i);
      rows[i] = {static_cast<std::int32_t>(r % 5) - 2,
                 static_cast<float>(r >> 8 & 3),
                 {'a', 'b', 'c', static_cast<char>('a' + (r >> 16) % 3), 0},
                 (r >> 24) % 4 != 0};
      has_value[i] = (r >> 32) % 3 != 0;
    }
  }

  bool is_known(std::size_t i) const { return (has_station[i / 32] >> i % 32 & 1) != 0; }

  /// Orders stations down, unknown ones first; values up, unknown ones last; names up, unknown ones
  /// first.
  bool before(std::size_t i, std::size_t j) const {
    const reading &a = rows[i], &b = rows[j];
    if (is_known(i) != is_known(j)) return !is_known(i);
    if (is_known(i) && a.station != b.station) return a.station > b.station;
    if (has_value[i] != has_value[j]) return has_value[i];
    if (has_value[i] && a.value != b.value) return a.value < b.value;
    if (a.has_name != b.has_name) return !a.has_name;
    return a.has_name && std::string(a.name) < b.name;
  }

  column<std::uint32_t> expected() const {
    column<std::uint32_t> all(rows.size());
    std::iota(all.begin(), all.end(), 0u);
    std::stable_sort(all.begin(), all.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return before(i, j); });
    return all;
  }
};

template <class Memory, class Policy>
void expect_nulls_by_index(const Policy& policy, std::size_t n) {
  using gpusort::asc;
  using gpusort::desc;
  const readings input(n);
  const guarded<reading, Memory> rows(input.rows, 1);
  const guarded<std::uint32_t, Memory> has_station(input.has_station, 1);
  const guarded<bool, Memory> has_value(input.has_value, 1);
  const guarded<std::uint32_t, Memory> found(n, 1);
  const auto order = [&](const auto* bits) {
    return gpusort::order_by(desc(&reading::station).nulls_first(bits),
                             asc(&reading::value).nulls_last(has_value.begin()),
                             asc(&reading::name).nulls_first(&reading::has_name));
  };
  const column<std::uint32_t> expected = input.expected();
  const auto expect = [&](const auto& by) {
    gpusort::argsort(policy, rows.begin(), rows.end(), found.begin(), by);
    const column<std::uint32_t> indices = found.read();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), indices.begin())) << n;
    EXPECT_TRUE(found.intact());
    const bool is_sorted = std::is_sorted(expected.begin(), expected.end());
    EXPECT_EQ(gpusort::is_sorted(policy, rows.begin(), rows.end(), by), is_sorted) << n;
  };
  expect(order(has_station.begin()));
  expect(order(reinterpret_cast<const std::uint8_t*>(has_station.begin())));

  // The rows in that order, with the bits and the flags of theirs, are sorted.
  readings moved(n);
  std::fill(moved.has_station.begin(), moved.has_station.end(), 0u);
  for (std::size_t i = 0; i < n; ++i) {
    moved.rows[i] = input.rows[expected[i]];
    moved.has_value[i] = input.has_value[expected[i]];
    moved.has_station[i / 32] |= std::uint32_t{input.is_known(expected[i])} << i % 32;
  }
  const guarded<reading, Memory> sorted(moved.rows, 1);
  const guarded<std::uint32_t, Memory> bits(moved.has_station, 1);
  const guarded<bool, Memory> flags(moved.has_value, 1);
  EXPECT_TRUE(
      gpusort::is_sorted(policy, sorted.begin(), sorted.end(),
                         gpusort::order_by(desc(&reading::station).nulls_first(bits.begin()),
                                           asc(&reading::value).nulls_last(flags.begin()),
                                           asc(&reading::name).nulls_first(&reading::has_name))));
}

/// A number as a field.
struct itself {
  GPUSORT_HOST_DEVICE int operator()(int x) const { return x; }
};

/// Expects all elements to have a value without a bitmap.
template <class Memory, class Policy>
void expect_no_nulls_without_a_bitmap(const Policy& policy) {
  const guarded<int, Memory> values(column<int>{3, 1, 2}, 0);
  const guarded<std::uint64_t, Memory> found(3);
  const std::uint8_t* const none = nullptr;
  gpusort::argsort(policy, values.begin(), values.end(), found.begin(),
                   gpusort::order_by(gpusort::asc(itself{}).nulls_first(none)));
  const column<std::uint64_t> indices = found.read();
  EXPECT_TRUE(indices[0] == 1 && indices[1] == 2 && indices[2] == 0);
}

}  // namespace kit

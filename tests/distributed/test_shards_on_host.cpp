// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shards, and on_devices, compiled without CUDA: the same on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/devices.hpp>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "../kit/random.hpp"

namespace {

using gpusort::par_gpu;
using gpusort::shard;
using u32 = std::uint32_t;

std::vector<u32> values_of(std::size_t n) {
  std::vector<u32> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = kit::random_at(kit::seed(), i) % 500;
  return values;
}

/// Of one array: 300, none, 1 and the other elements.
template <class T>
gpusort::sharded<T> shards_of(std::vector<T>& values) {
  T* const first = values.data();
  return gpusort::shards<T>(
      {{first, 300}, {nullptr, 0}, {first + 300, 1}, {first + 301, values.size() - 301}});
}

TEST(shards_on_host, are_sorted_and_told) {
  auto values = values_of(1000);
  auto expected = values;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(gpusort::select(par_gpu, shards_of(values), {0, 500}),
            (std::vector<u32>{expected[0], expected[500]}));
  EXPECT_FALSE(gpusort::is_sorted(par_gpu, shards_of(values)));
  gpusort::merge(par_gpu, shards_of(values));  // select has left each sorted
  EXPECT_EQ(values, expected);
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, shards_of(values)));
  values = values_of(1000);
  gpusort::sort(par_gpu, shards_of(values), gpusort::greater{});
  EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
}

TEST(shards_on_host, keep_the_order_of_equal_keys) {
  auto keys = values_of(1000);
  const auto input = keys;
  std::vector<u32> places(keys.size());
  std::vector<double> more(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) more[i] = places[i] = static_cast<u32>(i);
  gpusort::stable_sort_by_key(par_gpu, shards_of(keys),
                              std::make_tuple(shards_of(places), shards_of(more)));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i], input[places[i]]);
    EXPECT_EQ(more[i], places[i]);
    if (i == 0) continue;
    EXPECT_TRUE(keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && places[i - 1] < places[i]));
  }
}

TEST(shards_on_host, are_balanced_where_there_is_room) {
  auto values = values_of(10);
  auto expected = values;
  std::sort(expected.begin(), expected.end());
  values.resize(20);
  u32* const first = values.data();
  const auto result = gpusort::sort_balanced(
      par_gpu, gpusort::shards({shard<u32>(first, 10, 15), shard<u32>(first + 15, 0, 5)}));
  EXPECT_EQ(result[0].n, 5u);
  EXPECT_EQ(result[1].n, 5u);
  EXPECT_TRUE(std::equal(expected.begin(), expected.begin() + 5, first));
  EXPECT_TRUE(std::equal(expected.begin() + 5, expected.end(), first + 15));
  EXPECT_THROW(gpusort::sort_balanced(
                   par_gpu, gpusort::shards({shard<u32>(first, 10), shard<u32>(first + 15, 0)})),
               std::invalid_argument);
}

TEST(shards_on_host, that_overlap_are_refused) {
  auto values = values_of(10);
  const auto before = values;
  EXPECT_THROW(gpusort::sort(par_gpu, gpusort::shards({shard<u32>(values.data(), 6),
                                                       shard<u32>(values.data() + 5, 5)})),
               std::invalid_argument);
  EXPECT_EQ(values, before);
}

TEST(on_devices_on_host, is_taken_and_changes_nothing) {
  auto values = values_of(1000);
  gpusort::sort(par_gpu.on_devices({0, 1}), values.begin(), values.end());
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  gpusort::stable_sort(par_gpu.on_devices().with(gpusort::verify), values.begin(), values.end(),
                       gpusort::greater{});
  EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
}

}  // namespace

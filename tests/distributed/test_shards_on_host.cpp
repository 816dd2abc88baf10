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
#include "../kit/refusal.hpp"

namespace {

using gpusort::par_gpu;
using gpusort::shard;
using u32 = std::uint32_t;

std::vector<u32> values_of(std::size_t n) {
  std::vector<u32> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = kit::random_at(kit::seed(), i) % 500;
  return values;
}

/// Makes shards of one array: 300, none, 1 and the other elements.
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

/// An element without a default constructor.
struct made_of {
  explicit made_of(int v) : value(v) {}
  bool operator<(const made_of& other) const { return value < other.value; }

  int value;
};

TEST(shards_on_host, may_have_elements_that_are_not_made_of_nothing) {
  std::vector<made_of> values;
  for (int i = 0; i < 400; ++i) values.emplace_back(i * 77 % 400);
  EXPECT_EQ(gpusort::select(par_gpu, shards_of(values), {7}).front().value, 7);
}

/// Stands for what a comparator throws.
struct boom {};

TEST(shards_on_host, throw_what_the_comparator_throws) {
  auto values = values_of(1000);
  auto before = values;
  int calls = 0;
  const auto throws = [&](u32 a, u32 b) {
    if (++calls > 100) throw boom();
    return a < b;
  };
  EXPECT_THROW(gpusort::sort(par_gpu, shards_of(values), throws), boom);
  EXPECT_THROW(gpusort::is_sorted(par_gpu, shards_of(before), throws), boom);
  EXPECT_TRUE(std::is_permutation(values.begin(), values.end(), before.begin()));
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

TEST(shards_on_host, that_make_no_sense_are_refused) {
  auto values = values_of(10);
  const auto before = values;
  u32* const first = values.data();
  const gpusort::sharded<u32> none;
  const auto refused = [](const char* wrong, const gpusort::sharded<u32>& shards) {
    kit::expect_refusal("sort", wrong, [&] { gpusort::sort(par_gpu, shards); });
    kit::expect_refusal("explain", wrong, [&] { gpusort::explain(par_gpu, shards); });
    kit::expect_refusal("merge", wrong, [&] { gpusort::merge(par_gpu, shards); });
    kit::expect_refusal("is_sorted", wrong, [&] { gpusort::is_sorted(par_gpu, shards); });
    kit::expect_refusal("select", wrong, [&] { gpusort::select(par_gpu, shards, {}); });
    kit::expect_refusal("sort_balanced", wrong, [&] { gpusort::sort_balanced(par_gpu, shards); });
  };
  refused("two shards overlap", {{first, 6}, {first + 5, 5}});
  refused("a shard has elements, or room, and no memory", {{nullptr, 1}});
  refused("a shard has more elements than room", {{first, 2, 1}});
  const char* const too_much = "a shard has more room than there are addresses";
  refused(too_much, {{first, 1, std::uint64_t{1} << 63}, {first + 5, 5}});
  refused(too_much, {{first, 1, (std::uint64_t{1} << 63) - 1}});
  kit::expect_refusal("sort_by_key", "keys and values have different numbers of shards", [&] {
    gpusort::sort_by_key(par_gpu, none, gpusort::shards<u32>({{first, 5}}));
  });
  EXPECT_EQ(values, before);
  gpusort::sort(par_gpu, none);
  EXPECT_TRUE(gpusort::is_sorted(par_gpu, none));
}

TEST(on_devices_on_host, is_taken_and_changes_nothing) {
  auto values = values_of(1000);
  gpusort::sort(par_gpu.on_devices({0, 1}), values.begin(), values.end());
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  gpusort::stable_sort(par_gpu.on_devices().with(gpusort::verify), values.begin(), values.end(),
                       gpusort::greater{});
  EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
}

TEST(on_devices_on_host, that_no_machine_has_are_refused) {
  auto values = values_of(10);
  const auto before = values;
  std::vector<u32> indices(10);
  const auto refused = [&](const char* wrong, const auto& policy) {
    kit::expect_refusal("sort", wrong,
                        [&] { gpusort::sort(policy, values.begin(), values.end()); });
    kit::expect_refusal("argsort", wrong, [&] {
      gpusort::argsort(policy, values.begin(), values.end(), indices.begin());
    });
  };
  refused("device 0 is named twice", par_gpu.on_devices({0, 0, 99, -5}));
  refused("there is no device -5", par_gpu.on_devices({0, 99, -5}));
  refused("on_devices names no device", par_gpu.on_devices({}));
  EXPECT_EQ(values, before);
}

}  // namespace

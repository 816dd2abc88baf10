// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shards of records, and of keys with values, by an order that only comparisons know.
#include <gtest/gtest.h>

#include <cstdint>
#include <gpusort/devices.hpp>
#include <tuple>
#include <vector>

#include "../kit/places.hpp"
#include "shards_of_devices.hpp"

namespace {

using gpusort::par_gpu;
using kit::column;
using kit::counts;
using kit::opaque;
using kit::shard_buffers;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

const std::vector<int> here{0};

class shards_of_records : public kit::gpu_test {};

std::size_t most() { return kit::small_sizes_only() ? 300 : 50000; }

/// Expects a stable result of equal keys that come from all shards.
template <class T>
void expect_stable(const counts& n) {
  const opaque honest(kit::behavior::honest);
  for (const kit::distribution d : {kit::distribution::uniform, kit::distribution::few_distinct,
                                    kit::distribution::all_equal}) {
    const auto input = kit::generate<T>(d, n.total(), kit::seed());
    const shard_buffers<T> buffers(input, n, here);
    gpusort::stable_sort(par_gpu, buffers.shards(), honest);
    ASSERT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, honest)))
        << kit::name_of(d);
    ASSERT_TRUE(buffers.intact());
    ASSERT_TRUE(gpusort::is_sorted(par_gpu, buffers.shards(), honest));
  }
}

TEST_F(shards_of_records, keep_the_order_of_equal_ones) {
  for (const counts& n : kit::every_count(4, most())) expect_stable<kit::record<24>>(n);
}

TEST_F(shards_of_records, of_odd_sizes_are_sorted) {
  expect_stable<kit::record<17>>({most() / 2, 1, 0, most() / 3});
}

TEST_F(shards_of_records, too_large_for_a_tile_are_sorted) {
  expect_stable<kit::record<200>>({most() / 4, 1, 0, most() / 3});
}

TEST_F(shards_of_records, are_a_permutation_whatever_the_comparator_says) {
  using T = kit::record<24>;
  for (const kit::behavior m : kit::every_inconsistent_comparator) {
    const opaque liar(m, kit::seed());
    for (const bool is_balanced : {false, true}) {
      counts n{most(), 0, most() / 2, 1, most() / 3};
      n.room.assign(5, most());
      const auto input = kit::generate<T>(kit::distribution::few_distinct, n.total(), kit::seed());
      const shard_buffers<T> buffers(input, n, here);
      std::vector<std::size_t> now = n.n;
      if (is_balanced) {
        const auto result = gpusort::sort_balanced(par_gpu, buffers.shards(), liar);
        for (std::size_t i = 0; i < now.size(); ++i) now[i] = result[i].n;
        ASSERT_LE(now[0] - now[4], 1u);
      } else {
        gpusort::sort(par_gpu, buffers.shards(), liar);
      }
      ASSERT_TRUE(kit::same_multiset(buffers.read(now), input)) << kit::name_of(m);
      ASSERT_TRUE(buffers.intact());
    }
  }
}

TEST_F(shards_of_records, take_values_along) {
  const opaque honest(kit::behavior::honest);
  for (const counts& n : kit::every_count(3, most())) {
    const auto input = kit::generate<u32>(kit::distribution::few_distinct, n.total(), kit::seed());
    const auto places = kit::places_of<u32>(n.total());
    const shard_buffers<u32> keys(input, n, here), values(places, n, here);
    gpusort::stable_sort_by_key(par_gpu, keys.shards(), values.shards(), honest);
    ASSERT_TRUE(
        kit::moved_with_places(input, keys.read(), values.read(), honest, kit::promise::stability));
    ASSERT_TRUE(keys.intact() && values.intact());
  }
}

TEST_F(shards_of_records, take_several_columns_along) {
  const counts n{most(), 3, most() / 2, 0};
  const auto input = kit::generate<u32>(kit::distribution::few_distinct, n.total(), kit::seed());
  const auto small = kit::places_of<u32>(n.total());
  column<kit::record<20>> large(n.total());
  for (std::size_t i = 0; i < n.total(); ++i)
    large[i] = kit::make_value<kit::record<20>>(i << 32, i);
  const shard_buffers<u32> keys(input, n, here), places(small, n, here);
  const shard_buffers<kit::record<20>> records(large, n, here);
  gpusort::stable_sort_by_key(par_gpu, keys.shards(),
                              std::make_tuple(places.shards(), records.shards()));
  const auto found = places.read();
  EXPECT_TRUE(
      kit::moved_with_places(input, keys.read(), found, gpusort::less{}, kit::promise::stability));
  const auto moved = records.read();
  for (std::size_t i = 0; i < n.total(); ++i)
    ASSERT_TRUE(kit::same_bytes(moved[i], large[found[i]]));
  EXPECT_TRUE(keys.intact() && places.intact() && records.intact());
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shards on one device, which plays as many as there are shards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/devices.hpp>
#include <vector>

#include "../kit/counting_allocator.hpp"
#include "../kit/places.hpp"
#include "../kit/refusal.hpp"
#include "shards_of_devices.hpp"

namespace {

using gpusort::par_gpu;
using gpusort::shard;
using kit::column;
using kit::counts;
using kit::shard_buffers;
using u32 = std::uint32_t;

const std::vector<int> here{0};

class shards : public kit::gpu_test {};

std::size_t most() { return kit::small_sizes_only() ? 700 : 100000; }

TEST_F(shards, are_sorted_whatever_their_counts) {
  for (const std::size_t p : {1, 2, 3, 5, 8}) {
    for (const counts& n : kit::every_count(p, most())) {
      for (const kit::distribution d : {kit::distribution::uniform, kit::distribution::all_equal,
                                        kit::distribution::sorted, kit::distribution::reverse}) {
        const auto input = kit::generate<u32>(d, n.total(), kit::seed());
        const shard_buffers<u32> buffers(input, n, here);
        gpusort::sort(par_gpu, buffers.shards());
        ASSERT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})))
            << p << " shards, " << n.total() << " elements, " << kit::name_of(d);
        ASSERT_TRUE(buffers.intact());
        ASSERT_TRUE(gpusort::is_sorted(par_gpu, buffers.shards()));
      }
      const auto skewed = kit::zipf<u32>(n.total(), kit::seed());
      const shard_buffers<u32> buffers(skewed, n, here);
      gpusort::sort(par_gpu, buffers.shards());
      ASSERT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(skewed, gpusort::less{})));
    }
  }
}

/// Equal where the last digits are not looked at, or never.
struct coarse {
  GPUSORT_HOST_DEVICE bool operator()(u32 a, u32 b) const { return a / 4096 < b / 4096; }
};
struct always_true {
  GPUSORT_HOST_DEVICE bool operator()(u32, u32) const { return true; }
};

column<u32> in_plain_order(column<u32> values) {
  std::sort(values.begin(), values.end());
  return values;
}

/// Enough elements for the exchange to be sample sort's first level.
TEST_F(shards, that_are_large_are_sorted_by_buckets) {
  const std::size_t large = std::size_t{1} << 23;
  if (kit::small_sizes_only()) GTEST_SKIP() << "shards of 32 MB";
  for (const counts& n : {counts{large, large + 1}, counts{3 * large, 5, large / 2, large}}) {
    for (const kit::distribution d :
         {kit::distribution::uniform, kit::distribution::all_equal, kit::distribution::staggered,
          kit::distribution::reverse, kit::distribution::few_distinct}) {
      const auto input = kit::generate<u32>(d, n.total(), kit::seed());
      const auto expected = in_plain_order(input);
      const shard_buffers<u32> buffers(input, n, here);
      const gpusort::plan planned = gpusort::explain(par_gpu, buffers.shards());
      EXPECT_EQ(planned.algorithm, gpusort::route::sample_sort) << planned;
      gpusort::sort(par_gpu, buffers.shards());
      ASSERT_TRUE(kit::same_columns(buffers.read(), expected)) << kit::name_of(d);
      gpusort::sort(par_gpu, buffers.shards(), gpusort::greater{});
      gpusort::sort(par_gpu, buffers.shards(), coarse{});
      const auto sorted = buffers.read();
      ASSERT_TRUE(std::is_sorted(sorted.begin(), sorted.end(), coarse{})) << kit::name_of(d);
      gpusort::sort(par_gpu, buffers.shards(), always_true{});
      ASSERT_TRUE(kit::same_columns(in_plain_order(buffers.read()), expected));
      ASSERT_TRUE(buffers.intact());
    }
  }
}

template <class Key, class Compare>
void take_values_of_a_word_along(Compare compare) {
  const std::size_t large = std::size_t{1} << 22;
  for (const counts& n : {counts{large, large + 1}, counts{3 * large, 5, large / 2, large}}) {
    for (const kit::distribution d : {kit::distribution::uniform, kit::distribution::all_equal,
                                      kit::distribution::few_distinct}) {
      const auto input = kit::generate<Key>(d, n.total(), kit::seed());
      const auto places = kit::places_of<u32>(n.total());
      const shard_buffers<Key> keys(input, n, here);
      const shard_buffers<u32> values(places, n, here);
      gpusort::sort_by_key(par_gpu, keys.shards(), values.shards(), compare);
      ASSERT_TRUE(
          kit::moved_with_places(input, keys.read(), values.read(), compare, kit::promise::order))
          << kit::name_of(d);
      ASSERT_TRUE(keys.intact() && values.intact());
    }
  }
}

TEST_F(shards, that_are_large_take_values_of_a_word_along) {
  if (kit::small_sizes_only()) GTEST_SKIP() << "shards of 32 MB";
  take_values_of_a_word_along<u32>(gpusort::less{});
  take_values_of_a_word_along<std::int32_t>(gpusort::greater{});
  take_values_of_a_word_along<float>(gpusort::less{});
}

TEST_F(shards, are_told_how_they_would_be_sorted) {
  const counts n{5000, 3000};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, here);
  const gpusort::plan planned = gpusort::explain(par_gpu, buffers.shards());
  EXPECT_EQ(planned.algorithm, gpusort::route::merge_sort);
  EXPECT_EQ(planned.estimate.bytes_moved, 4 * 5000 * 3 / 8);
  EXPECT_TRUE(kit::same_columns(buffers.read(), input));
}

TEST_F(shards, that_begin_anywhere_are_sorted) {
  const counts n{most(), 1, most() / 2};
  for (const std::size_t offset : {1, 3}) {
    const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
    const shard_buffers<u32> buffers(input, n, here, offset);
    gpusort::stable_sort(par_gpu, buffers.shards());
    EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
    EXPECT_TRUE(buffers.intact());
  }
}

TEST_F(shards, are_balanced_to_one_element) {
  for (const std::size_t p : {2, 3, 7}) {
    for (counts n : kit::every_count(p, most())) {
      const std::size_t each = n.total() / p, more = n.total() % p;
      std::vector<std::size_t> expected(p, each);
      for (std::size_t i = 0; i < more; ++i) ++expected[i];
      for (std::size_t i = 0; i < p; ++i) n.room[i] = std::max(n.n[i], expected[i]);
      const auto input = kit::zipf<u32>(n.total(), kit::seed());
      const shard_buffers<u32> buffers(input, n, here);
      const auto result = gpusort::sort_balanced(par_gpu, buffers.shards());
      for (std::size_t i = 0; i < p; ++i) ASSERT_EQ(result[i].n, expected[i]);
      ASSERT_TRUE(
          kit::same_columns(buffers.read(expected), kit::stably_sorted(input, gpusort::less{})));
      ASSERT_TRUE(buffers.intact());
    }
  }
}

TEST_F(shards, that_are_sorted_are_merged) {
  const counts n{most(), 0, most() / 3, 1, most() / 2};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  column<u32> runs = input;
  std::size_t begin = 0;
  for (const std::size_t count : n.n) {
    std::sort(runs.begin() + begin, runs.begin() + begin + count);
    begin += count;
  }
  const shard_buffers<u32> buffers(runs, n, here);
  EXPECT_FALSE(gpusort::is_sorted(par_gpu, buffers.shards()));
  gpusort::merge(par_gpu, buffers.shards());
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
}

TEST_F(shards, tell_elements_by_rank) {
  const counts n{most(), 0, most() / 3, 1};
  const auto input = kit::zipf<u32>(n.total(), kit::seed());
  const auto sorted = kit::stably_sorted(input, gpusort::less{});
  const shard_buffers<u32> buffers(input, n, here);
  const std::vector<std::uint64_t> ranks{0, 1, n.total() / 2, n.total() / 2, n.total() - 1};
  const auto found = gpusort::select(par_gpu, buffers.shards(), ranks);
  ASSERT_EQ(found.size(), ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(found[i], sorted[ranks[i]]);
  EXPECT_TRUE(kit::same_multiset(buffers.read(), input));
}

/// Each gets something of nearly all others: a merge of more than 64 runs takes two passes.
TEST_F(shards, may_be_more_than_one_merge_takes) {
  const std::size_t p = kit::small_sizes_only() ? 70 : 200;
  const counts n(std::vector<std::size_t>(p, kit::small_sizes_only() ? 400 : 2000));
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, here);
  gpusort::sort(par_gpu, buffers.shards());
  EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
  EXPECT_TRUE(buffers.intact());
}

TEST_F(shards, are_what_they_were_where_memory_is_short) {
  const counts n{most(), most() / 2, most()};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  bool has_succeeded = false;
  for (std::size_t first = 0; first < 60 && !has_succeeded; ++first) {
    const shard_buffers<u32> buffers(input, n, here);
    kit::counting_allocator allocator;
    allocator.fail(first);
    try {
      gpusort::sort(par_gpu(allocator), buffers.shards());
      has_succeeded = true;
      EXPECT_TRUE(kit::same_columns(buffers.read(), kit::stably_sorted(input, gpusort::less{})));
    } catch (const gpusort::out_of_memory& e) {
      EXPECT_NE(std::string(e.what()).find("out of memory on device 0"), std::string::npos)
          << e.what();
    }
    const auto result = buffers.read();
    ASSERT_TRUE(kit::same_multiset(result, input)) << first;
    std::size_t begin = 0;
    for (const std::size_t count : n.n) {  // each has its own
      if (has_succeeded) break;
      ASSERT_TRUE(kit::same_multiset(kit::part_of(result, begin, begin + count),
                                     kit::part_of(input, begin, begin + count)));
      begin += count;
    }
    ASSERT_TRUE(buffers.intact());
    EXPECT_TRUE(allocator.clean());
  }
  EXPECT_TRUE(has_succeeded);
}

/// As where a merge fails when others have merged: each range gets back what it had.
TEST_F(shards, that_were_merged_in_vain_have_their_own_elements) {
  namespace distributed = gpusort::detail::distributed;
  using call = distributed::sorting_call<
      gpusort::detail::call<false, false, false, false, gpusort::route::nothing>, false>;
  using local = distributed::device_local<call, gpusort::less, u32*>;
  const counts n{most(), most() / 2};
  const auto input = kit::generate<u32>(kit::distribution::uniform, n.total(), kit::seed());
  const shard_buffers<u32> buffers(input, n, here);
  const auto ranges = buffers.shards();
  const kit::stream stream;
  const call both{{stream, gpusort::detail::pool_memory()}};
  local first(both, {}, ranges[0].data, n.n[0]), second(both, {}, ranges[1].data, n.n[1]);
  for (local* const own : {&first, &second}) {
    ASSERT_TRUE(own->choose_peer_memory());
    own->sort(false);
    own->prepare(own->n());
  }
  EXPECT_TRUE(kit::same_columns(buffers.read(), input)) << "sorted in the range";
  const std::uint64_t half = n.n[0] / 2;
  const std::uint64_t runs[] = {0, half, n.n[0]};
  first.set_runs({static_cast<const u32*>(first.data(0)) + half, second.data(0)});
  first.merge(runs, 2);
  first.unmerge();
  for (local* const own : {&first, &second}) own->finish(own->n());
  stream.synchronize();
  const auto result = buffers.read();
  for (const std::size_t i : {0, 1}) {
    const std::size_t begin = i == 0 ? 0 : n.n[0], end = i == 0 ? n.n[0] : n.total();
    EXPECT_TRUE(
        kit::same_columns(kit::part_of(result, begin, end),
                          kit::stably_sorted(kit::part_of(input, begin, end), gpusort::less{})));
  }
  EXPECT_TRUE(buffers.intact());
}

TEST_F(shards, that_make_no_sense_are_refused) {
  const counts n{100, 100};
  const auto input = kit::generate<u32>(kit::distribution::uniform, 200, kit::seed());
  const shard_buffers<u32> buffers(input, n, here);
  const auto good = buffers.shards();
  const auto refused = [&](const char* wrong, const gpusort::sharded<u32>& bad) {
    kit::expect_refusal("sort", wrong, [&] { gpusort::sort(par_gpu, bad); });
  };
  refused("two shards overlap", gpusort::shards({good[0], shard<u32>(good[0].data + 99, 100)}));
  refused("two shards overlap", gpusort::shards({good[0], good[0]}));
  refused("a shard has elements, or room, and no memory",
          gpusort::shards<u32>({{good[0].data, 100}, {nullptr, 1}}));
  refused("a shard has more elements than room", gpusort::shards<u32>({{good[0].data, 100, 99}}));
  u32 on_host[4] = {};
  refused("a shard is not in the memory of a device",
          gpusort::shards<u32>({{good[0].data, 100}, {on_host, 4}}));
  const kit::buffer<u32> managed(4, 0, kit::gpu_memory{kit::memory_kind::managed});
  try {
    gpusort::sort(par_gpu, gpusort::shards<u32>({{good[0].data, 100}, {managed.data(), 4}}));
    ADD_FAILURE() << "managed memory is of no one device";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("managed memory"), std::string::npos) << e.what();
  }
  kit::expect_refusal("sort_balanced", "a shard has too little room for an equal part", [&] {
    gpusort::sort_balanced(par_gpu, gpusort::shards<u32>({{good[0].data, 100}, {good[1].data, 1}}));
  });
  kit::expect_refusal("select", "a rank is not less than the number of elements", [&] {
    gpusort::select(par_gpu, good, {0, 200});
  });
  kit::expect_refusal("select", "ranks of elements decrease", [&] {
    gpusort::select(par_gpu, good, {1, 0});
  });
  EXPECT_TRUE(kit::same_columns(buffers.read(), input));
  gpusort::sort(par_gpu, gpusort::sharded<u32>{});
}

TEST_F(shards, are_not_sorted_under_capture) {
  const counts n{100, 100};
  const auto input = kit::generate<u32>(kit::distribution::uniform, 200, kit::seed());
  const shard_buffers<u32> buffers(input, n, here);
  const kit::stream stream;
  cudaGraph_t graph = nullptr;
  kit::cuda_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_THROW(gpusort::sort(gpusort::par_gpu_nosync.on(stream), buffers.shards()),
               gpusort::cuda_error);
  kit::cuda_ok(cudaStreamEndCapture(stream, &graph));
  kit::cuda_ok(cudaGraphDestroy(graph));
  EXPECT_TRUE(kit::same_columns(buffers.read(), input));
}

}  // namespace

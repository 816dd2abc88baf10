// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts inside a kernel: keys with values, warps, any number of threads.
#include <gpusort/block.hpp>

#include "block_segments.hpp"

namespace {

using gpusort::no_value;
using kit::distribution;
using kit::entry;
using kit::opaque;

/// Makes value i of key i and of i: what became of them tells where both came from.
template <class Key, class Value>
kit::column<Value> values_of(const kit::column<Key>& keys) {
  kit::column<Value> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    values[i] = kit::make_value<Value>(kit::hash_of(keys[i]), i);
  }
  return values;
}

/// Expects the pairs that begin with input[begin] to be those of the output, in order.
template <class Key, class Value, class Compare>
void examine_pairs(const kit::column<Key>& keys_in, const kit::column<Value>& values_in,
                   const kit::column<Key>& keys, const kit::column<Value>& values, int begin,
                   int end, Compare compare, kit::promise promised) {
  const auto f =
      kit::examine(kit::part_of(keys_in, begin, end), kit::part_of(keys, begin, end), compare,
                   promised == kit::promise::stability ? kit::promise::order : promised);
  ASSERT_TRUE(f.ok()) << f;
  std::vector<bool> seen(static_cast<std::size_t>(end - begin));
  for (int i = begin; i < end; ++i) {
    const auto from = static_cast<int>(kit::index_of(values[i]));
    ASSERT_TRUE(begin <= from && from < end) << from << " in " << begin << ", " << end;
    ASSERT_TRUE(kit::same_bytes(values[i], values_in[from]) &&
                kit::same_bytes(keys[i], keys_in[from]))
        << "the value of another key";
    ASSERT_FALSE(seen[from - begin]) << "twice";
    seen[from - begin] = true;
    if (promised == kit::promise::stability && i > begin && !compare(keys[i - 1], keys[i])) {
      ASSERT_LT(kit::index_of(values[i - 1]), kit::index_of(values[i])) << "not stable";
    }
  }
}

template <class Config>
void sort_and_examine(entry e, distribution d, typename Config::compare compare,
                      kit::promise promised) {
  using key = typename Config::key;
  using value = typename Config::value;
  const std::vector<int> offsets =
      kit::offsets_of(kit::segment_lengths<Config>(kit::takes_any_length(e)));
  const auto n = static_cast<std::size_t>(offsets.back());
  const auto keys_in = kit::generate<key>(d, n, kit::seed());
  const auto values_in = values_of<key, value>(keys_in);
  const kit::buffer<key> keys(keys_in, 1), spare_keys(n);
  const kit::buffer<value> values(values_in, 1), spare_values(n);
  kit::sort_segments<Config>(
      e, {keys.data(), spare_keys.data(), values.data(), spare_values.data(), nullptr}, offsets,
      compare);
  const auto keys_out = keys.read();
  const auto values_out = values.read();
  ASSERT_TRUE(keys.intact() && values.intact() && spare_keys.intact() && spare_values.intact());
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    SCOPED_TRACE(::testing::Message()
                 << kit::name_of(e) << ", " << d << ", n = " << offsets[b + 1] - offsets[b]);
    examine_pairs(keys_in, values_in, keys_out, values_out, offsets[b], offsets[b + 1], compare,
                  promised);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

template <class Config>
class block_sort_with : public kit::gpu_test {};
using configs = ::testing::Types<kit::tile_config<std::uint32_t, kit::record<8, 4>, 64, 8, opaque>,
                                 kit::tile_config<float, kit::record<100>, 64, 4, gpusort::less>>;
TYPED_TEST_SUITE(block_sort_with, configs);

TYPED_TEST(block_sort_with, any_length_and_distribution) {
  kit::for_every_entry<typename TypeParam::key>(
      [](auto e, auto d, auto promised) { sort_and_examine<TypeParam>(e, d, {}, promised); });
}

// -- warps ----------------------------------------------------------------------------------------

/// Sorts what lies between offsets w and w + 1 by warp w.
template <int ItemsPerLane, class Key, class Value, class Compare>
__global__ void sort_by_warps_kernel(bool is_stable, Key* keys, Value* values, const int* offsets,
                                     Compare compare) {
  namespace warp = gpusort::warp;
  const int w = static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
  const int begin = offsets[w], n = offsets[w + 1] - begin;
  const int first = static_cast<int>(threadIdx.x % 32) * ItemsPerLane;
  Key k[ItemsPerLane];
  Value v[ItemsPerLane];
  for (int i = 0; i < ItemsPerLane; ++i) {
    if (first + i >= n) continue;
    k[i] = keys[begin + first + i];
    if constexpr (!std::is_same_v<Value, no_value>) v[i] = values[begin + first + i];
  }
  const bool is_full = n == 32 * ItemsPerLane;
  if constexpr (!std::is_same_v<Value, no_value>) {
    if (is_stable) {
      warp::stable_sort_by_key(k, v, n, compare);
    } else if (is_full) {
      warp::sort_by_key(k, v, compare);
    } else {
      warp::sort_by_key(k, v, n, compare);
    }
  } else if (is_stable) {
    warp::stable_sort(k, n, compare);
  } else if (is_full) {
    warp::sort(k, compare);
  } else {
    warp::sort(k, n, compare);
  }
  for (int i = 0; i < ItemsPerLane; ++i) {
    if (first + i >= n) continue;
    keys[begin + first + i] = k[i];
    if constexpr (!std::is_same_v<Value, no_value>) values[begin + first + i] = v[i];
  }
}

std::vector<int> warp_lengths(int items) {
  return {0,         1,    2, 3, std::min(31, items), 32, std::min(33, items), items / 2 + 1,
          items - 1, items};
}

template <int ItemsPerLane, class Key, class Compare>
void sort_by_warps(distribution d, Compare compare, bool is_stable, kit::promise promised) {
  const auto offsets = kit::offsets_of(warp_lengths(32 * ItemsPerLane));
  const auto input = kit::generate<Key>(d, static_cast<std::size_t>(offsets.back()), kit::seed());
  const kit::buffer<Key> data(input, 1);
  kit::column<int> told(offsets.size());
  std::copy(offsets.begin(), offsets.end(), told.begin());
  const kit::buffer<int> places(told, 0);
  kit::launch(offsets.size() / 2, 64, 0, sort_by_warps_kernel<ItemsPerLane, Key, no_value, Compare>,
              is_stable, data.data(), nullptr, places.data(), compare);
  const auto output = data.read();
  ASSERT_TRUE(data.intact());
  for (std::size_t w = 0; w + 1 < offsets.size(); ++w) {
    const auto f =
        kit::examine(kit::part_of(input, offsets[w], offsets[w + 1]),
                     kit::part_of(output, offsets[w], offsets[w + 1]), compare, promised);
    ASSERT_TRUE(f.ok()) << ItemsPerLane << " items a lane, " << d
                        << ", n = " << offsets[w + 1] - offsets[w] << ": " << f;
  }
}

class warp_sort_test : public kit::gpu_test {};

TEST_F(warp_sort_test, any_length_and_distribution) {
  for (auto d : kit::distributions()) {
    for (bool is_stable : {false, true}) {
      const auto promised = is_stable ? kit::promise::stability : kit::promise::order;
      sort_by_warps<1, kit::record<16>>(d, opaque{}, is_stable, promised);
      sort_by_warps<8, std::uint16_t>(d, gpusort::less{}, is_stable, promised);
      sort_by_warps<4, kit::record<12>>(d, opaque{}, is_stable, promised);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(warp_sort_test, floats) {
  for (bool is_stable : {false, true}) {
    const auto promised = is_stable ? kit::promise::stability : kit::promise::order;
    sort_by_warps<2, float>(distribution::special, gpusort::less{}, is_stable, promised);
  }
}

TEST_F(warp_sort_test, inconsistent_comparators_keep_a_permutation) {
  const kit::shared_counter counter;
  for (auto behavior : kit::every_inconsistent_comparator) {
    const opaque inconsistent(behavior, kit::seed(), counter.get());
    for (bool is_stable : {false, true}) {
      const auto promised = kit::promise::permutation;
      sort_by_warps<1, kit::record<16>>(distribution::uniform, inconsistent, is_stable, promised);
      sort_by_warps<4, kit::record<12>>(distribution::uniform, inconsistent, is_stable, promised);
    }
  }
}

TEST_F(warp_sort_test, values_move_with_their_keys) {
  using value = kit::record<8, 4>;
  const auto offsets = kit::offsets_of(warp_lengths(32 * 4));
  kit::column<int> told(offsets.size());
  std::copy(offsets.begin(), offsets.end(), told.begin());
  const kit::buffer<int> places(told, 0);
  for (auto d : {distribution::uniform, distribution::few_distinct}) {
    for (bool is_stable : {false, true}) {
      const auto keys_in =
          kit::generate<std::uint32_t>(d, static_cast<std::size_t>(offsets.back()), kit::seed());
      const auto values_in = values_of<std::uint32_t, value>(keys_in);
      const kit::buffer<std::uint32_t> keys(keys_in, 0);
      const kit::buffer<value> values(values_in, 0);
      kit::launch(offsets.size() / 2, 64, 0,
                  sort_by_warps_kernel<4, std::uint32_t, value, gpusort::less>, is_stable,
                  keys.data(), values.data(), places.data(), gpusort::less{});
      const auto keys_out = keys.read();
      const auto values_out = values.read();
      for (std::size_t w = 0; w + 1 < offsets.size(); ++w) {
        examine_pairs(keys_in, values_in, keys_out, values_out, offsets[w], offsets[w + 1],
                      gpusort::less{}, is_stable ? kit::promise::stability : kit::promise::order);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// -- in place, by any number of threads -----------------------------------------------------------

/// Sorts in the kernel's own shared array, which a block of any size fills.
__global__ void sort_shared_array_kernel(std::uint32_t* keys, int n, bool by_index) {
  constexpr int most = 3000;
  __shared__ std::uint32_t items[most];
  for (int i = threadIdx.x; i < n; i += blockDim.x) items[i] = keys[i];
  __syncthreads();
  if (by_index) {
    std::uint32_t* const all = items;
    gpusort::block::sort(
        7L, 7 + n, [=](long i, long j) { return all[j - 7] < all[i - 7]; },
        [=](long i, long j) { kit::exchange_values(all[i - 7], all[j - 7]); });
  } else {
    gpusort::block::sort(items, items + n, gpusort::greater{});
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) keys[i] = items[i];
}

class block_sort_in_place : public kit::gpu_test {};

TEST_F(block_sort_in_place, any_number_of_threads) {
  for (unsigned threads : {1u, 7u, 32u, 33u, 1000u}) {
    for (int n : {0, 1, 2, 33, 1000, 1025, 3000}) {
      for (bool by_index : {false, true}) {
        const auto input = kit::generate<std::uint32_t>(distribution::uniform,
                                                        static_cast<std::size_t>(n), kit::seed());
        const kit::buffer<std::uint32_t> data(input, 0);
        kit::launch(1, threads, 0, sort_shared_array_kernel, data.data(), n, by_index);
        const auto f =
            kit::examine(input, data.read(), kit::reference_greater{}, kit::promise::order);
        ASSERT_TRUE(f.ok() && data.intact()) << threads << " threads, n = " << n << ": " << f;
      }
    }
  }
}

TEST_F(block_sort_in_place, indices_that_bound_nothing) {
  const kit::column<std::uint32_t> input{3, 2, 1};
  const kit::buffer<std::uint32_t> data(input, 0);
  std::uint32_t* const keys = data.data();
  kit::launch(1, 32, 0, sort_shared_array_kernel, keys, -5, true);
  kit::launch(1, 32, 0, sort_shared_array_kernel, keys, -5, false);
  const auto output = data.read();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(output[i], input[i]) << "nothing was to be sorted";
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one block, or one word of host memory, does: parts that no whole sort shows by themselves.
#include <cstdint>
#include <gpusort/detail/kernel/counting_sort.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/tile/block_sort_any_length.hpp>
#include <gpusort/detail/tile/proxmap_sort.hpp>
#include <gpusort/detail/tile/stage_tile.hpp>
#include <gpusort/detail/tuning/counting_sort.hpp>
#include <memory>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/expect_sorted.hpp"
#include "../kit/random.hpp"
#include "../kit/tile_inputs.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;

class tiles : public gpu_test {};

/// Counts, in one block, more keys than its counters of 16 bits hold.
template <class Key, class Compare, class Bits>
void count_in_one_block(Bits bits) {
  using tuning = detail::tuning::counting_sort<2>;
  using counts = detail::tile::short_counts<tuning, false>;
  constexpr auto order = detail::bit_order_of<Key, Compare>();
  const std::size_t n = 300007;
  const auto input =
      make_all(n, [&](std::size_t i, std::size_t) { return static_cast<std::uint16_t>(bits(i)); });
  const buffer<std::uint16_t> keys(input, 1);
  const buffer<unsigned long long> totals(
      make_all(counts::total_count, [](std::size_t, std::size_t) { return 0ull; }), 0);
  const auto kernel = detail::kernel::count_keys_kernel<counts>;
  detail::launch(kernel, 1, tuning::threads_per_block, sizeof(counts), cudaStream_t{}, order,
                 keys.begin(), n, n, totals.begin());
  cuda_ok(cudaDeviceSynchronize());
  std::vector<unsigned long long> expected(counts::total_count);
  for (std::uint16_t key : input) {
    ++expected[order.encode(key)];
    ++expected[65536 + order.encode(key) / detail::tile::short_totals::values_per_segment];
  }
  const auto found = totals.read();
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(found[i], expected[i]) << i;
}

TEST_F(tiles, counters_that_go_round) {
  const auto random = [](std::size_t i) { return random_at(31, i); };
  const auto count = [](auto bits) {
    count_in_one_block<std::uint16_t, gpusort::less>(bits);
    count_in_one_block<std::int16_t, gpusort::greater>(bits);
  };
  count([](std::size_t) { return 6; });
  count([](std::size_t) { return 7; });
  count([](std::size_t i) { return 6 + i % 2; });
  count([](std::size_t i) { return 6 + i / 8 % 2; });
  count([&](std::size_t i) { return 6 + random(i) % 2; });
  count([&](std::size_t i) { return 0xfffc + random(i) % 4; });
  count([&](std::size_t i) { return random(i) % 9 ? 511 + i % 2 : random(i) >> 8; });
}

template <class T, class Sorter, class Compare>
__global__ void proxmap_sort_kernel(T* in, T* out, int count) {
  using sorter = detail::tile::proxmap_sort<T, Sorter>;
  __shared__ typename sorter::storage shared;
  Compare compare;
  sorter::sort(shared, detail::key_array<T>{in}, detail::key_array<T>{out}, count, compare);
}

template <class T, int ThreadsPerBlock, int ItemsPerThread, class Order, class Make>
void sort_by_proxmap(Make make) {
  using sorter = detail::tile::block_merge_sort<T, ThreadsPerBlock, ItemsPerThread, false>;
  constexpr int tile = sorter::items_per_tile;
  for (int count : {1, 2, 8, 9, 31, 128, 129, tile / 2 + 1, tile - 1, tile}) {
    const auto input = make_all(count, [&](std::size_t i, std::size_t) {
      return static_cast<T>(make(random_at(32, i), i));
    });
    const buffer<T> in(input, 1);
    const buffer<T> out(static_cast<std::size_t>(count), 2);
    proxmap_sort_kernel<T, sorter, detail::by_stored_value<Order>>
        <<<1, ThreadsPerBlock>>>(in.begin(), out.begin(), count);
    cuda_ok(cudaDeviceSynchronize());
    findings f = examine(input, out.read(), Order{}, promise::order);
    f.zones_intact = out.intact();
    ASSERT_TRUE(f.ok()) << "count = " << count << ": " << f;
  }
}

template <class T, int ThreadsPerBlock, int ItemsPerThread, class Order>
void sort_all_by_proxmap() {
  constexpr int high = sizeof(T) > 4 ? 60 : 28;
  const auto sort = [](auto make) {
    sort_by_proxmap<T, ThreadsPerBlock, ItemsPerThread, Order>(make);
  };
  using bits = std::uint64_t;
  sort([](bits r, std::size_t) { return r; });
  sort([](bits, std::size_t) { return 5; });
  // Where the upper bits differ nowhere, and where they do at one place.
  sort([](bits r, std::size_t) { return (bits{7} << high) + r % 1000; });
  sort([](bits r, std::size_t) { return (bits{7} << high) - 500 + r % 1000; });
  // Few values; and in the opposite order.
  sort([](bits r, std::size_t) { return r % 20 * 0x01234567; });
  sort([](bits, std::size_t i) { return 100000 - 3 * i; });
  // Too many for their slots: comparisons take over.
  sort([](bits r, std::size_t) { return (r % 2) << (high + 3) | (r >> 8 & 0xfff); });
  sort([](bits, std::size_t i) { return i == 0 ? ~bits{0} : bits{20000} - i; });
}

TEST_F(tiles, sorted_by_proxmap) {
  sort_all_by_proxmap<std::uint32_t, 256, 8, gpusort::less>();
  sort_all_by_proxmap<std::uint32_t, 128, 16, gpusort::greater>();
  sort_all_by_proxmap<std::uint64_t, 128, 8, gpusort::less>();
  sort_all_by_proxmap<std::int64_t, 256, 8, gpusort::greater>();
  sort_all_by_proxmap<uint128, 128, 4, gpusort::less>();
}

// Blocks whose threads have two chunks each.
template <class T, int ItemsPerThread>
struct wide : detail::tile::block_merge_sort<T, 128, ItemsPerThread, false, 2> {
  using element = T;
  static constexpr int items_per_thread = ItemsPerThread;
};

template <class Sorter, class T, class Compare>
__global__ void wide_sort_kernel(T* in, T* out, int count, Compare compare) {
  __shared__ typename Sorter::storage shared;
  Sorter::sort(shared, detail::key_array<T>{in}, count, compare);
  detail::tile::store_tile(detail::key_array<T>{out}, 0, count, shared.tile);
}

template <class Sorter, class T, class Compare>
__global__ void wide_merge_kernel(T* in, T* out, int a_count, int b_count, Compare compare) {
  __shared__ typename Sorter::storage shared;
  const int count = a_count + b_count;
  detail::tile::load_tile(detail::key_array<T>{in}, 0, count, shared.tile);
  __syncthreads();
  Sorter::merge_two(shared, a_count, b_count, compare);
  detail::tile::store_tile(detail::key_array<T>{out}, 0, count, shared.tile);
}

template <class Sorter, class T, class Compare>
__global__ void wide_range_kernel(T* in, T* out, int count, Compare compare) {
  __shared__ typename Sorter::storage shared;
  using array = detail::key_array<T>;
  detail::tile::block_sort_any_length<Sorter>(shared, array{in}, array{out}, array{in}, count,
                                              compare);
}

/// Runs launch(in, out) on `input`; what comes out is in order, or at least a permutation.
template <class T, class Launch>
void expect_tile(const column<T>& input, bool is_ordered, Launch launch) {
  const buffer<T> in(input, 1);
  const buffer<T> out(input.size(), 2);
  launch(in.begin(), out.begin());
  cuda_ok(cudaDeviceSynchronize());
  findings f = examine(input, out.read(), gpusort::less{}, promise::order);
  f.ordered |= !is_ordered;
  f.zones_intact = out.intact();
  ASSERT_TRUE(f.ok()) << input.size() << " items: " << f;
}

struct honest {
  static constexpr bool is_order = true;
  template <class T>
  __device__ bool operator()(T a, T b) const {
    return a < b;
  }
};
struct always {
  static constexpr bool is_order = false;
  template <class T>
  __device__ bool operator()(T, T) const {
    return true;
  }
};
struct by_clock {
  static constexpr bool is_order = false;
  template <class T>
  __device__ bool operator()(T, T) const {
    return clock64() & 4;
  }
};

template <class T>
column<T> as_elements(const tile_keys& keys) {
  return make_all(keys.size(), [&](std::size_t i, std::size_t) { return static_cast<T>(keys[i]); });
}

template <class Sorter, class Compare>
void sort_wide_tiles() {
  using T = typename Sorter::element;
  constexpr int tile = Sorter::items_per_tile, items = Sorter::items_per_thread;
  const auto use = [](const tile_keys& keys) {
    const int count = static_cast<int>(keys.size());
    expect_tile(as_elements<T>(keys), Compare::is_order, [&](T* in, T* out) {
      wide_sort_kernel<Sorter><<<1, 128>>>(in, out, count, Compare{});
    });
  };
  for_each_random_tile(tile, 32 * items, use);
  for_each_meeting_of_halves(tile, items, use);
}

template <class Sorter, class Compare>
void merge_wide_tiles() {
  using T = typename Sorter::element;
  constexpr int most = Sorter::items_per_merge;
  for (int a_count : {0, 1, 300, most - 299, most - 1, most}) {
    for (int b_count : {0, 1, 299, most - 300, most}) {
      if (a_count + b_count > most) continue;
      column<T> input = as_elements<T>(random_tile(a_count + b_count, 5000));
      std::sort(input.begin(), input.begin() + a_count);
      std::sort(input.begin() + a_count, input.end());
      expect_tile(input, Compare::is_order, [&](T* in, T* out) {
        wide_merge_kernel<Sorter><<<1, 128>>>(in, out, a_count, b_count, Compare{});
      });
    }
  }
}

/// Runs of wide tiles, which are merged half a tile at a time.
template <class Sorter, class Compare>
void sort_wide_ranges() {
  using T = typename Sorter::element;
  constexpr int tile = Sorter::items_per_tile;
  for (int count : {tile - 1, tile + 1, 2 * tile, 5 * tile + 77}) {
    expect_tile(as_elements<T>(random_tile(count, 10000)), Compare::is_order, [&](T* in, T* out) {
      wide_range_kernel<Sorter><<<1, 128>>>(in, out, count, Compare{});
    });
  }
}

template <class Sorter, class Compare>
void use_wide_tiles() {
  sort_wide_tiles<Sorter, Compare>();
  merge_wide_tiles<Sorter, Compare>();
  sort_wide_ranges<Sorter, Compare>();
}

TEST_F(tiles, of_two_chunks_for_each_thread) {
  use_wide_tiles<wide<std::uint64_t, 8>, honest>();
  use_wide_tiles<wide<std::uint32_t, 16>, honest>();
  use_wide_tiles<wide<float, 16>, honest>();
  use_wide_tiles<wide<std::uint8_t, 16>, honest>();
}

TEST_F(tiles, of_two_chunks_whose_comparators_lie) {
  use_wide_tiles<wide<std::uint64_t, 8>, always>();
  use_wide_tiles<wide<std::uint64_t, 8>, by_clock>();
  use_wide_tiles<wide<std::uint32_t, 16>, always>();
  use_wide_tiles<wide<std::uint32_t, 16>, by_clock>();
}

TEST_F(tiles, words_for_as_many_calls_as_there_are) {
  std::vector<std::unique_ptr<detail::completion>> calls;
  int given = 0;
  for (int i = 0; i < 100; ++i) {
    calls.push_back(std::make_unique<detail::completion>());
    given += calls.back()->words_for(1, nullptr) != nullptr;
  }
  int is_shared = 0;
  cuda_ok(cudaDeviceGetAttribute(&is_shared, cudaDevAttrConcurrentManagedAccess, 0));
  EXPECT_EQ(given, is_shared ? 64 : 0);
  // No kernel writes the words, so each waits for the stream, and gives them back.
  for (auto& call : calls) call->wait(nullptr);
  detail::completion again;
  EXPECT_EQ(again.words_for(1, nullptr) != nullptr, is_shared != 0);
  again.wait(nullptr);
}

}  // namespace
}  // namespace kit

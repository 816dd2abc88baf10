// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one block, or one word of host memory, does: parts that no whole sort shows by themselves.
#include <cstdint>
#include <gpusort/detail/kernel/counting_sort.hpp>
#include <gpusort/detail/support/completion.hpp>
#include <gpusort/detail/tile/prefix_sort.hpp>
#include <gpusort/detail/tuning/counting_sort.hpp>
#include <memory>
#include <vector>

#include "../kit/device.hpp"
#include "../kit/expect_sorted.hpp"
#include "../kit/random.hpp"

namespace kit {
namespace {

namespace detail = gpusort::detail;

class tiles : public gpu_test {};

/// One block counts more keys than its counters of 16 bits hold.
template <class Bits>
void count_in_one_block(Bits bits) {
  using tuning = detail::tuning::counting_sort<2>;
  using counts = detail::tile::short_counts<tuning, std::uint16_t, false>;
  const std::size_t n = 300007;
  const auto input =
      make_all(n, [&](std::size_t i, std::size_t) { return static_cast<std::uint16_t>(bits(i)); });
  const buffer<std::uint16_t> keys(input, 1);
  const buffer<unsigned long long> totals(
      make_all(counts::total_count, [](std::size_t, std::size_t) { return 0ull; }), 0);
  const auto kernel = detail::kernel::count_keys_kernel<counts>;
  detail::launch(kernel, 1, tuning::threads_per_block, sizeof(counts), cudaStream_t{}, keys.begin(),
                 n, n, totals.begin());
  cuda_ok(cudaDeviceSynchronize());
  std::vector<unsigned long long> expected(counts::total_count);
  for (std::uint16_t key : input) {
    ++expected[key];
    ++expected[65536 + key / detail::tile::short_totals::values_per_segment];
  }
  const auto found = totals.read();
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(found[i], expected[i]) << i;
}

TEST_F(tiles, counters_that_go_round) {
  const auto random = [](std::size_t i) { return random_at(31, i); };
  count_in_one_block([](std::size_t) { return 6; });
  count_in_one_block([](std::size_t) { return 7; });
  count_in_one_block([](std::size_t i) { return 6 + i % 2; });
  count_in_one_block([](std::size_t i) { return 6 + i / 8 % 2; });
  count_in_one_block([&](std::size_t i) { return 6 + random(i) % 2; });
  count_in_one_block([&](std::size_t i) { return 0xfffc + random(i) % 4; });
  count_in_one_block([&](std::size_t i) { return random(i) % 9 ? 511 + i % 2 : random(i) >> 8; });
}

using element = std::uint64_t;
using by_number = detail::by_stored_value<gpusort::less>;
using tile_sorter = detail::tile::block_sort<element, 128, 8, false>;
using prefix_sorter = detail::tile::prefix_sort<element, tile_sorter>;

__global__ void prefix_sort_kernel(element* in, element* out, int count) {
  __shared__ prefix_sorter::storage shared;
  by_number compare;
  prefix_sorter::sort(shared, detail::key_array<element>{in}, detail::key_array<element>{out},
                      count, compare);
}

template <class Make>
void sort_by_prefix(Make make) {
  for (int count : {0, 1, 2, 31, 128, 129, 500, 1023, 1024}) {
    const auto input = make_all(count, [&](std::size_t i, std::size_t) {
      return static_cast<element>(make(random_at(32, i), i));
    });
    const buffer<element> in(input, 1);
    const buffer<element> out(static_cast<std::size_t>(count), 2);
    prefix_sort_kernel<<<1, 128>>>(in.begin(), out.begin(), count);
    cuda_ok(cudaDeviceSynchronize());
    findings f = examine(input, out.read(), gpusort::less{}, promise::order);
    f.zones_intact = out.intact();
    ASSERT_TRUE(f.ok()) << "count = " << count << ": " << f;
  }
}

TEST_F(tiles, sorted_by_prefixes) {
  using bits = std::uint64_t;
  sort_by_prefix([](bits r, std::size_t) { return r; });
  sort_by_prefix([](bits, std::size_t) { return 5; });
  // All bits that differ are in the prefix.
  sort_by_prefix([](bits r, std::size_t) { return (bits{7} << 60) + r % 1000; });
  // Few neighbours with the same prefix, and many, in the opposite order.
  sort_by_prefix([](bits r, std::size_t i) { return r >> 50 << 50 | (1000 - i); });
  sort_by_prefix([](bits r, std::size_t i) { return (r % 2) << 63 | (1000000 - i); });
  sort_by_prefix([](bits, std::size_t i) { return i == 0 ? ~bits{0} : bits{2000} - i; });
}

// Blocks whose threads have two chunks each, and room for half a tile more.
using wide_sorter = detail::tile::block_sort<element, 128, 8, false, 2>;
constexpr int half_of_wide = wide_sorter::items_per_tile / 2;

template <class Compare>
__global__ void wide_sort_kernel(element* in, element* out, int count, Compare compare) {
  __shared__ wide_sorter::storage shared;
  wide_sorter::sort(shared, detail::key_array<element>{in}, count, compare);
  detail::tile::store_tile(detail::key_array<element>{out}, 0, count, shared.tile);
}

template <class Compare>
__global__ void wide_merge_kernel(element* in, element* out, int a_count, int b_count,
                                  Compare compare) {
  __shared__ wide_sorter::storage shared;
  const int count = a_count + b_count;
  detail::tile::load_tile(detail::key_array<element>{in}, 0, count, shared.tile);
  __syncthreads();
  wide_sorter::merge_two(shared, a_count, b_count, compare);
  detail::tile::store_tile(detail::key_array<element>{out}, 0, count, shared.tile);
}

/// Runs launch(in, out) on `input`; what comes out is in order, or at least a permutation.
template <class Launch>
void expect_tile(const column<element>& input, bool is_ordered, Launch launch) {
  const buffer<element> in(input, 1);
  const buffer<element> out(input.size(), 2);
  launch(in.begin(), out.begin());
  cuda_ok(cudaDeviceSynchronize());
  findings f = examine(input, out.read(), gpusort::less{}, promise::order);
  f.ordered |= !is_ordered;
  f.zones_intact = out.intact();
  ASSERT_TRUE(f.ok()) << input.size() << " items: " << f;
}

struct honest {
  static constexpr bool is_order = true;
  __device__ bool operator()(element a, element b) const { return a < b; }
};
struct always {
  static constexpr bool is_order = false;
  __device__ bool operator()(element, element) const { return true; }
};
struct by_clock {
  static constexpr bool is_order = false;
  __device__ bool operator()(element, element) const { return clock64() & 4; }
};

template <class Compare>
void sort_wide_tiles() {
  for (int count :
       {0, 1, 31, 255, 256, 257, half_of_wide - 1, half_of_wide, half_of_wide + 1,
        half_of_wide + 256, half_of_wide + 700, 2 * half_of_wide - 1, 2 * half_of_wide}) {
    for (unsigned distinct : {1u, 3u, 1u << 31}) {
      const auto input = make_all(count, [&](std::size_t i, std::size_t) {
        return static_cast<element>(random_at(33, i) % distinct);
      });
      expect_tile(input, Compare::is_order, [&](element* in, element* out) {
        wide_sort_kernel<<<1, 128>>>(in, out, count, Compare{});
      });
    }
  }
}

template <class Compare>
void merge_wide_tiles() {
  for (int a_count : {0, 1, 300, half_of_wide - 1, half_of_wide, half_of_wide + 5}) {
    for (int b_count : {0, 1, 299, half_of_wide - 5}) {
      column<element> input = make_all(a_count + b_count, [&](std::size_t i, std::size_t) {
        return static_cast<element>(random_at(34, i) % 5000);
      });
      std::sort(input.begin(), input.begin() + a_count);
      std::sort(input.begin() + a_count, input.end());
      expect_tile(input, Compare::is_order, [&](element* in, element* out) {
        wide_merge_kernel<<<1, 128>>>(in, out, a_count, b_count, Compare{});
      });
    }
  }
}

TEST_F(tiles, of_two_chunks_for_each_thread) {
  sort_wide_tiles<honest>();
  merge_wide_tiles<honest>();
}

TEST_F(tiles, of_two_chunks_whose_comparators_lie) {
  sort_wide_tiles<always>();
  sort_wide_tiles<by_clock>();
  merge_wide_tiles<always>();
  merge_wide_tiles<by_clock>();
}

TEST_F(tiles, words_for_as_many_calls_as_there_are) {
  std::vector<std::unique_ptr<detail::completion>> calls;
  int given = 0;
  for (int i = 0; i < 100; ++i) {
    calls.push_back(std::make_unique<detail::completion>());
    given += calls.back()->words_for(1) != nullptr;
  }
  int is_shared = 0;
  cuda_ok(cudaDeviceGetAttribute(&is_shared, cudaDevAttrConcurrentManagedAccess, 0));
  EXPECT_EQ(given, is_shared ? 64 : 0);
  // No kernel writes the words, so each waits for the stream, and gives them back.
  for (auto& call : calls) call->wait(nullptr);
  detail::completion again;
  EXPECT_EQ(again.words_for(1) != nullptr, is_shared != 0);
  again.wait(nullptr);
}

}  // namespace
}  // namespace kit

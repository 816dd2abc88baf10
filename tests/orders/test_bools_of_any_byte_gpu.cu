// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On the routes that are asked for, in calls that move elements in other ways, and behind iterators
// that are followed on the device.
#include <thrust/device_ptr.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <gpusort/block.hpp>
#include <gpusort/merge.hpp>
#include <gpusort/segmented_sort.hpp>

#include "../kit/device.hpp"
#include "../kit/sizes.hpp"
#include "bools_of_any_byte.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
namespace algorithm = gpusort::algorithm;

class bools_of_any_byte_on : public gpu_test {
 protected:
  static constexpr std::size_t n = 100003;
};

TEST_F(bools_of_any_byte_on, every_route) {
  for (std::size_t count : {std::size_t{700}, n}) {
    expect_bools_sort(par_gpu.with(gpusort::in_place), count);
    expect_bools_sort(par_gpu.with(algorithm::sample_sort), count);
    expect_bools_sort(par_gpu.with(algorithm::quicksort), count, gpusort::greater{}, false);
    expect_bools_sort(par_gpu.with(algorithm::radix_sort), count);
    expect_bools_sort_stably(par_gpu.with(algorithm::merge_sort), count);
    expect_bools_sort_stably(par_gpu.with(algorithm::sample_sort), count, trues_first{}, false);
    expect_bools_sort_by_key(par_gpu.with(gpusort::verify), count, gpusort::greater{}, false);
  }
}

TEST_F(bools_of_any_byte_on, merges_and_segments) {
  const std::size_t half = 40000;
  const bytes in = bytes_of_bools(n), expected = stably_sorted(in);
  bytes b = in, merged(n);
  bool* const first = as_bools(b);
  const std::size_t offsets[] = {0, half, n};
  gpusort::stable_segmented_sort(par_gpu, first, first + n, offsets, offsets + 3);
  gpusort::merge(par_gpu, first, first + half, first + half, first + n, as_bools(merged));
  EXPECT_EQ(merged, expected);
  gpusort::multiway_merge(par_gpu, first, offsets, offsets + 3, as_bools(merged));
  EXPECT_EQ(merged, expected);
  gpusort::inplace_merge(par_gpu, first, first + half, first + n);
  EXPECT_EQ(b, expected);
  b = in;
  gpusort::segmented_sort(par_gpu, first, first + n, offsets, offsets + 3, gpusort::greater{});
  for (std::size_t i = 0; i < 2; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(offsets[i]);
    const auto end = static_cast<std::ptrdiff_t>(offsets[i + 1]);
    expect_sorted_bools({b.begin() + begin, b.begin() + end},
                        {in.begin() + begin, in.begin() + end}, false);
  }
}

TEST_F(bools_of_any_byte_on, orders_of_indices) {
  const bytes in = bytes_of_bools(n), expected = stably_sorted(in, false);
  std::vector<std::uint32_t> order(n);
  gpusort::argsort(par_gpu, as_bools(in), as_bools(in) + n, order.begin(), gpusort::greater{});
  bool are_equal = true;
  for (std::size_t i = 0; i < n; ++i) are_equal = are_equal && in[order[i]] == expected[i];
  EXPECT_TRUE(are_equal);
}

struct by_flag {
  template <class Row>
  __host__ __device__ bool operator()(const Row& a, const Row& b) const {
    return thrust::get<1>(a) < thrust::get<1>(b);
  }
};

/// The bool of a row stays with its number, and keeps its byte: by field, and in a copy.
TEST_F(bools_of_any_byte_on, columns_of_a_zip) {
  const bytes in = bytes_of_bools(n);
  for (bool by_field : {true, false}) {
    const buffer<unsigned char> flags(column_of(in), 1);
    std::vector<std::uint32_t> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<std::uint32_t>(n - i);
    const buffer<std::uint32_t> places(column_of(numbers), 1);
    const auto rows = thrust::make_zip_iterator(
        thrust::make_tuple(reinterpret_cast<bool*>(flags.data()), places.data()));
    if (by_field) {
      gpusort::sort(par_gpu, rows, rows + n, by_flag{});
    } else {
      gpusort::sort(par_gpu, rows, rows + n);
    }
    const auto found = flags.read();
    const auto moved = places.read();
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found[i], in[n - moved[i]]) << by_field;
  }
}

TEST_F(bools_of_any_byte_on, permutations) {
  const bytes in = bytes_of_bools(n);
  std::vector<std::uint32_t> backwards(n);
  for (std::size_t i = 0; i < n; ++i) backwards[i] = static_cast<std::uint32_t>(n - 1 - i);
  const buffer<std::uint32_t> map(column_of(backwards), 0);
  const auto expect_sorted = [&](auto make) {
    const buffer<unsigned char> b(column_of(in), 1);
    const auto first =
        thrust::make_permutation_iterator(make(reinterpret_cast<bool*>(b.data())), map.data());
    gpusort::sort(par_gpu, first, first + n);
    expect_sorted_bools(vector_of(b.read()), in, false);
  };
  expect_sorted([](bool* p) { return p; });
  if (!device_is_cpu) expect_sorted([](bool* p) { return thrust::device_pointer_cast(p); });
}

__global__ void sort_in_block(bool* keys, unsigned n) {
  __shared__ gpusort::block::sort_storage<bool, 128, 4> storage;
  gpusort::block::stable_sort(storage, keys, keys + n, trues_first{});
  gpusort::block::stable_sort(storage, keys, keys + n);
}

TEST_F(bools_of_any_byte_on, a_block) {
  const bytes in = bytes_of_bools(500);
  const buffer<unsigned char> b(column_of(in), 1);
  launch(1, 128, 0, sort_in_block, reinterpret_cast<bool*>(b.data()), 500u);
  EXPECT_EQ(vector_of(b.read()), stably_sorted(in));
}

}  // namespace
}  // namespace kit

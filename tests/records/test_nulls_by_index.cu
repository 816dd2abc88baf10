// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// order_by with bitmaps and flags next to the elements, on a device: of records, and of columns.
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstdint>
#include <gpusort/sort.hpp>
#include <stdexcept>

#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/nulls_by_index.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
using u32 = std::uint32_t;

class nulls_by_index : public gpu_test {};

TEST_F(nulls_by_index, are_sorted_and_tested) {
  for (std::size_t n : edge_sizes()) expect_nulls_by_index<gpu_memory>(par_gpu, n);
  for (std::size_t n : medium_sizes()) expect_nulls_by_index<gpu_memory>(par_gpu, n);
  expect_nulls_by_index<gpu_memory>(par_gpu.with(gpusort::verify), 1000);
}

TEST_F(nulls_by_index, of_columns) {
  const std::size_t n = 3000;
  const column<u32> a = generate<u32>(distribution::few_distinct, n, seed());
  const column<float> b = generate<float>(distribution::uniform, n, seed() + 1);
  const column<std::uint8_t> bits =
      generate<std::uint8_t>(distribution::uniform, n / 8 + 1, seed());
  const buffer<u32> first(a, 1), found(n, 1);
  const buffer<float> second(b, 1);
  const buffer<std::uint8_t> valid(bits, 1);
  const auto rows = thrust::make_zip_iterator(thrust::make_tuple(first.begin(), second.begin()));
  gpusort::argsort(par_gpu, rows, rows + n, found.begin(),
                   gpusort::order_by(gpusort::desc(gpusort::element<0>).nulls_first(valid.begin()),
                                     gpusort::asc(gpusort::element<1>)));
  column<u32> expected(n);
  std::iota(expected.begin(), expected.end(), 0u);
  std::stable_sort(expected.begin(), expected.end(), [&](u32 i, u32 j) {
    const auto is_valid = [&](u32 k) { return (bits[k / 8] >> k % 8 & 1) != 0; };
    if (is_valid(i) != is_valid(j)) return is_valid(j);
    if (is_valid(i) && a[i] != a[j]) return a[i] > a[j];
    return b[i] < b[j];
  });
  const column<u32> indices = found.read();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), indices.begin()));
}

TEST_F(nulls_by_index, on_the_host_beside_elements_on_the_device_are_refused) {
  const readings input(100);
  const buffer<reading> rows(input.rows, 1);
  const buffer<u32> found(100);
  EXPECT_THROW(
      gpusort::argsort(
          par_gpu, rows.begin(), rows.end(), found.begin(),
          gpusort::order_by(gpusort::asc(&reading::station).nulls_last(input.has_station.begin()))),
      std::invalid_argument);
}

}  // namespace
}  // namespace kit

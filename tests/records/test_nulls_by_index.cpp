// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// order_by with bitmaps and flags next to the elements, on the CPU.
#include <gpusort/sort.hpp>
#include <stdexcept>
#include <vector>

#include "../kit/nulls_by_index.hpp"
#include "../kit/sizes.hpp"

namespace kit {
namespace {

TEST(nulls_by_index, are_sorted_and_tested) {
  for (std::size_t n : edge_sizes()) expect_nulls_by_index<host_memory>(gpusort::par_gpu, n);
  expect_nulls_by_index<host_memory>(gpusort::par_gpu.with(gpusort::verify), 1000);
  expect_no_nulls_without_a_bitmap<host_memory>(gpusort::par_gpu);
}

TEST(nulls_by_index, that_are_overwritten_are_refused) {
  const readings input(64);
  std::vector<std::uint32_t> words(64);
  const auto order =
      gpusort::order_by(gpusort::asc(&reading::station).nulls_last(words.data() + 1));
  EXPECT_THROW(
      gpusort::argsort(gpusort::par_gpu, input.rows.begin(), input.rows.end(), words.data(), order),
      std::invalid_argument);
}

}  // namespace
}  // namespace kit

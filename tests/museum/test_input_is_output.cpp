// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls whose output is their input (NVIDIA/cccl#4733: a radix sort of keys onto themselves left
// them unsorted). Either a call works so, or it is refused and nothing has changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gpusort/gpusort.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../kit/environment.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> made(n);
  for (std::size_t i = 0; i < n; ++i) made[i] = static_cast<std::uint32_t>(i * 7919 % 5003);
  return made;
}

/// Expects a call on `v` to be refused, and to leave it as it was.
template <class Call>
void expect_refused(std::vector<std::uint32_t>& v, Call call) {
  const auto before = v;
  EXPECT_THROW(call(v.data()), std::invalid_argument);
  EXPECT_EQ(v, before);
}

TEST(input_is_output, of_sort_copy_is_sorted) {
  for (std::size_t n : {1, 2, 1000, 30011}) {
    auto v = numbers(n), expected = v;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(gpusort::sort_copy(par_gpu, v.begin(), v.end(), v.begin()), v.end());
    EXPECT_EQ(v, expected);
  }
}

TEST(input_is_output, of_half_a_range_is_refused) {
  auto v = numbers(1000);
  expect_refused(v, [](auto* p) { gpusort::sort_copy(par_gpu, p, p + 500, p + 1); });
  expect_refused(v, [](auto* p) { gpusort::sort_copy(par_gpu, p + 1, p + 500, p); });
}

TEST(input_is_output, of_keys_and_values_is_refused) {
  auto v = numbers(1000);
  expect_refused(v, [](auto* p) { gpusort::sort_by_key(par_gpu, p, p + 1000, p); });
  expect_refused(v, [](auto* p) { gpusort::stable_sort_by_key(par_gpu, p, p + 500, p + 499); });
}

TEST(input_is_output, of_indices_is_refused) {
  auto v = numbers(1000);
  expect_refused(v, [](auto* p) { gpusort::argsort(par_gpu, p, p + 1000, p); });
  expect_refused(v, [](auto* p) { gpusort::apply_permutation(par_gpu, p, p + 1000, p); });
  expect_refused(v, [](auto* p) { gpusort::apply_inverse_permutation(par_gpu, p, p + 1000, p); });
}

TEST(input_is_output, of_merges_is_refused) {
  auto v = numbers(1000);
  std::sort(v.begin(), v.begin() + 500);
  std::sort(v.begin() + 500, v.end());
  const std::array<int, 3> offsets = {0, 500, 1000};
  expect_refused(v, [](auto* p) { gpusort::merge(par_gpu, p, p + 500, p + 500, p + 1000, p); });
  expect_refused(
      v, [&](auto* p) { gpusort::multiway_merge(par_gpu, p, offsets.begin(), offsets.end(), p); });
  std::vector<std::uint32_t> keys(1000);
  expect_refused(v, [&](auto* p) {  // the values of the output are the values of an input
    gpusort::merge_by_key(par_gpu, p, p + 500, p + 500, p + 1000, p, p + 500, keys.data(), p);
  });
}

TEST(input_is_output, of_tables_is_refused) {
  auto v = numbers(1000);
  const std::vector<std::uint32_t> indices(1000);
  expect_refused(v, [&](auto* p) {
    const gpusort::column column(gpusort::column_type::uint32, p);
    gpusort::gather_table(par_gpu, &column, 1, indices.begin(), indices.size(), &column);
  });
  expect_refused(v, [](auto* p) {
    gpusort::table_order order;
    order.asc(gpusort::column(gpusort::column_type::uint32, p));
    gpusort::argsort_table(par_gpu, order, 1000, p);
  });
}

}  // namespace
}  // namespace kit

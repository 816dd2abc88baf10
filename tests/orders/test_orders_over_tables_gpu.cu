// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders over tables that are known when the call is compiled, on all routes of sort.
#include "orders_over_tables.hpp"

namespace {

using namespace over_tables;
using gpusort::par_gpu;

class orders_over_tables : public kit::gpu_test {};

template <class Element, order By>
void expect_sorted() {
  for (std::size_t n : row_counts<Element>()) {
    const filled_tables filled(n);
    const by_table<By> compare{filled.get()};
    const auto input = shuffled_rows<Element>(n);
    expect_ordered(input, compare, false, "sort",
                   [&](auto first, auto last) { gpusort::sort(par_gpu, first, last, compare); });
  }
}

TEST_F(orders_over_tables, int_by_row_length) { expect_sorted<std::int32_t, order::row_length>(); }
TEST_F(orders_over_tables, int_by_string) { expect_sorted<std::int32_t, order::string>(); }
TEST_F(orders_over_tables, int_by_point) { expect_sorted<std::int32_t, order::point>(); }
TEST_F(orders_over_tables, short_by_row_length) {
  expect_sorted<std::int16_t, order::row_length>();
}

}  // namespace

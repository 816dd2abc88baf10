// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call that takes a comparator, by orders over tables.
#pragma once

#include "orders_over_tables.hpp"

namespace over_tables {

using gpusort::par_gpu;

/// Calls body(input, compare) for all orders, and sizes.
template <class Element, class Body>
void for_each_order(Body body) {
  for (std::size_t n : row_counts<Element>()) {
    const filled_tables filled(n);
    const auto input = shuffled_rows<Element>(n);
    for (order by : every_order) body(input, by_any_table{by, filled.get()});
  }
}

// What index sorts call.
template <class Element>
struct compare_rows {
  const Element* rows;
  by_any_table compare;
  __host__ __device__ bool operator()(int i, int j) const { return compare(rows[i], rows[j]); }
};
template <class Element>
struct swap_rows {
  Element* rows;
  __host__ __device__ void operator()(int i, int j) const {
    const Element row = rows[i];
    rows[i] = rows[j];
    rows[j] = row;
  }
};
template <class Element>
struct fetch_length {
  const Element* rows;
  const int* begin;
  __host__ __device__ int operator()(int i) const { return begin[rows[i] + 1] - begin[rows[i]]; }
};

template <class Element>
void sort_rows() {
  for_each_order<Element>([](const auto& input, by_any_table compare) {
    expect_ordered(input, compare, false, "sort",
                   [&](auto first, auto last) { gpusort::sort(par_gpu, first, last, compare); });
    expect_ordered(input, compare, true, "stable_sort", [&](auto first, auto last) {
      gpusort::stable_sort(par_gpu, first, last, compare);
    });
  });
}

template <class Element>
void sort_rows_by_key() {
  for_each_order<Element>([](const auto& input, by_any_table compare) {
    const kit::buffer<Element> values(input, 0);
    expect_ordered(input, compare, false, "sort_by_key", [&](auto first, auto last) {
      gpusort::sort_by_key(par_gpu, first, last, values.data(), compare);
    });
    EXPECT_TRUE(are_ordered(input, values.read(), compare, false)) << "values";
  });
}

template <class Element>
void argsort_rows() {
  for_each_order<Element>([](const auto& input, by_any_table compare) {
    const std::size_t n = input.size();
    const kit::buffer<Element> rows(input, 0);
    const kit::buffer<std::uint32_t> indices(n);
    gpusort::argsort(par_gpu, rows.data(), rows.data() + n, indices.data(), compare);
    kit::column<Element> found(n);
    const auto order = indices.read();
    for (std::size_t i = 0; i < n; ++i) found[i] = input[order[i]];
    EXPECT_TRUE(are_ordered(input, found, compare, true)) << n;
  });
}

template <class Element>
void merge_rows() {
  for_each_order<Element>([](const auto& input, by_any_table compare) {
    const std::size_t n = input.size();
    const std::vector<std::uint64_t> offsets{0, n / 5, n / 2, n / 2, n};
    const kit::buffer<Element> merged(n), merged_in_two(n);
    expect_ordered(input, compare, false, "inplace_merge of sorted segments",
                   [&](auto first, auto last) {
                     gpusort::stable_segmented_sort(par_gpu, first, last, offsets.begin(),
                                                    offsets.end(), compare);
                     gpusort::multiway_merge(par_gpu, first, offsets.begin(), offsets.end(),
                                             merged.data(), compare);
                     gpusort::inplace_merge(par_gpu, first, first + n / 5, first + n / 2, compare);
                     gpusort::merge(par_gpu, first, first + n / 2, first + n / 2, last,
                                    merged_in_two.data(), compare);
                     gpusort::inplace_merge(par_gpu, first, first + n / 2, last, compare);
                   });
    EXPECT_TRUE(are_ordered(input, merged.read(), compare, true)) << "multiway_merge";
    EXPECT_TRUE(are_ordered(input, merged_in_two.read(), compare, true)) << "merge";
  });
}

template <class Element>
void sort_rows_by_index() {
  for_each_order<Element>([](const auto& input, by_any_table compare) {
    const int n = static_cast<int>(input.size());
    expect_ordered(input, compare, false, "sort of indices", [&](auto rows, auto) {
      gpusort::sort(par_gpu, 0, n, compare_rows<Element>{rows, compare}, swap_rows<Element>{rows});
    });
    if (compare.by != order::row_length) return;
    expect_ordered(input, compare, false, "sort by fetched lengths", [&](auto rows, auto) {
      gpusort::sort(par_gpu, 0, n, fetch_length<Element>{rows, compare.t.begin}, gpusort::less{},
                    swap_rows<Element>{rows});
    });
  });
}

}  // namespace over_tables

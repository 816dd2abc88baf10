// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables whose columns are known at run time, on a device: against std::stable_sort by a comparator
// of rows.
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>

#include <cstdint>
#include <gpusort/table.hpp>
#include <vector>

#include "../kit/counting_allocator.hpp"
#include "../kit/device.hpp"
#include "../kit/graph.hpp"
#include "../kit/refusal.hpp"
#include "../kit/table.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;
using u32 = std::uint32_t;

class tables : public gpu_test {};

std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all = {0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 513, 1025, 4000};
  if (!small_sizes_only()) all.insert(all.end(), {100003, (1 << 18) + 1, 1 << 20});
  return all;
}

TEST_F(tables, of_every_type) { expect_every_type<gpu_memory>(par_gpu, 70, !small_sizes_only()); }

TEST_F(tables, of_several_columns) {
  expect_tables<gpu_memory>(par_gpu, sizes(), small_sizes_only() ? 6 : 12);
}

TEST_F(tables, are_sorted_and_gathered) {
  for (std::size_t n : {1, 8, 33, 1000}) expect_sort_and_gather<gpu_memory>(par_gpu, n);
}

TEST_F(tables, gather_nulls_where_an_index_is_no_row) {
  for (std::size_t rows : {0, 1, 40}) {
    for (std::size_t n : {1, 7, 8, 33, 1000}) {
      expect_gather_with_nulls<gpu_memory>(par_gpu, rows, n);
    }
  }
}

TEST_F(tables, of_several_columns_are_proved) {
  expect_tables<gpu_memory>(par_gpu.with(gpusort::verify), {1, 2, 257}, 1);
}

TEST_F(tables, take_pointers_and_vectors_of_thrust) {
  const buffer<int> keys(column<int>{3, 1, 2}, 0);
  const buffer<u32> indices(3);
  gpusort::table_order order;
  order.asc(gpusort::column::of(thrust::device_ptr<const int>(keys.data())));
  gpusort::argsort_table(par_gpu, order, 3, thrust::device_ptr<u32>(indices.data()));
  const column<u32> found = indices.read();
  EXPECT_EQ(std::vector<u32>(found.begin(), found.end()), (std::vector<u32>{1, 2, 0}));

  const thrust::device_vector<double> prices(3);
  const void* const first = thrust::raw_pointer_cast(prices.data());
  EXPECT_EQ(gpusort::column::of(prices).data(), first);
  EXPECT_EQ(gpusort::column::of(prices.begin()).data(), first);
}

/// Two columns of few values, of which the key is longer than a word, and the order of their rows.
struct example {
  std::vector<host_column> columns;
  placed_table<gpu_memory> table;
  buffer<u32> found;

  explicit example(std::size_t n)
      : columns(random_table({{column_type::bytes, 19, validity::words, true},
                              {column_type::int64, 8, validity::bools}},
                             n)),
        table(columns.begin(), columns.end()),
        found(n) {}

  gpusort::table_order order() const { return order_of(table, columns); }

  void expect_found() const {
    const std::vector<std::uint64_t> expected = expected_order(columns, found.size());
    const column<u32> indices = found.read();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), indices.begin()));
    EXPECT_TRUE(found.intact());
  }
};

TEST_F(tables, are_sorted_in_a_graph) {
  const example e(3000);
  const stream s;
  const graph captured(
      s, [&] { gpusort::argsort_table(par_gpu_nosync.on(s), e.order(), 3000, e.found.data()); });
  for (int i = 0; i < 2; ++i) {
    captured.launch(s);
    e.expect_found();
  }
  EXPECT_THROW(graph(s, [&] { gpusort::is_table_sorted(par_gpu_nosync.on(s), e.order(), 3000); }),
               gpusort::cuda_error);
}

TEST_F(tables, that_find_no_scratch_are_left_as_they_are) {
  const example e(3000);
  counting_allocator allocator;
  allocator.fail(0);
  std::vector<gpusort::column> moved = {e.table[0].get(), e.table[1].get()};
  EXPECT_THROW(gpusort::argsort_table(par_gpu(allocator), e.order(), 3000, e.found.data()),
               gpusort::out_of_memory);
  EXPECT_THROW(gpusort::sort_table(par_gpu(allocator), e.order(), moved.data(), 2, 3000),
               gpusort::out_of_memory);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_TRUE(e.table[c].read() == e.columns[c]);

  // With memory for the keys alone these are sorted in place.
  allocator.fail(1);
  gpusort::argsort_table(par_gpu(allocator), e.order(), 3000, e.found.data());
  e.expect_found();
}

TEST_F(tables, in_host_memory_are_refused) {
  const example e(10);
  const std::vector<int> on_host(10);
  gpusort::table_order order;
  order.asc(gpusort::column::of(on_host.data()));
  const std::string wrong = "a column, or its validity, or indices are in host memory";
  expect_refusal("argsort_table", wrong,
                 [&] { gpusort::argsort_table(par_gpu, order, 10, e.found.data()); });
  std::vector<u32> indices(10);
  expect_refusal("argsort_table", wrong,
                 [&] { gpusort::argsort_table(par_gpu, e.order(), 10, indices.data()); });
  expect_refusal("argsort_table", "the order of a table takes scratch for its keys", [&] {
    gpusort::argsort_table(par_gpu.with(gpusort::in_place), e.order(), 10, e.found.data());
  });
}

}  // namespace
}  // namespace kit

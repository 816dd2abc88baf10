// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables whose columns are known at run time, on the CPU: against std::stable_sort by a comparator
// of rows.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../kit/environment.hpp"
#include "../kit/refusal.hpp"
#include "../kit/table.hpp"

namespace kit {
namespace {

using gpusort::column;
using gpusort::par_gpu;
using gpusort::table_order;

TEST(tables, of_every_type) { expect_every_type<host_memory>(par_gpu, 300, true); }

TEST(tables, of_several_columns) {
  expect_tables<host_memory>(par_gpu, {0, 1, 2, 3, 31, 257, 1025, 4000}, 12);
}

TEST(tables, of_several_columns_are_proved) {
  expect_tables<host_memory>(par_gpu.with(gpusort::verify), {1, 2, 257}, 2);
}

TEST(tables, are_sorted_and_gathered) {
  for (std::size_t n : {1, 7, 8, 9, 31, 32, 33, 1000}) {
    expect_sort_and_gather<host_memory>(par_gpu, n);
  }
}

TEST(tables, of_more_rows_than_a_task_takes) {
  column_spec key;
  key.distinct = 1000;
  column_spec text{column_type::bytes, 17, validity::words};
  text.distinct = 1000;
  expect_argsort<host_memory, std::uint32_t>(par_gpu, {key, text}, 100003);
}

TEST(tables, without_an_order_stay_as_they_are) {
  std::vector<std::uint32_t> indices(5, 9);
  gpusort::argsort_table(par_gpu, table_order(), 5, indices.data());
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(tables, take_ranges_and_iterators) {
  std::vector<int> keys = {3, 1, 2};
  const std::vector<double> prices = {0.5, 1.5, 2.5};
  std::array<char, 3> names = {'a', 'b', 'c'};
  int days[3] = {7, 8, 9};
  std::vector<std::uint8_t> has_key = {7};
  table_order order;
  order.asc(column::of(keys).with_validity(has_key));
  std::vector<std::uint32_t> indices(3);
  gpusort::argsort_table(par_gpu, order, 3, indices.begin());
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{1, 2, 0}));

  std::vector<double> sorted_prices(3);
  std::array<char, 3> sorted_names{};
  const std::vector<column> in = {column::of(prices), column::of(names.begin())};
  const std::vector<column> out = {column::of(sorted_prices.begin()), column::of(sorted_names)};
  gpusort::gather_table(par_gpu, in.begin(), in.size(), indices.cbegin(), 3, out.data());
  EXPECT_EQ(sorted_prices, (std::vector<double>{1.5, 2.5, 0.5}));
  EXPECT_EQ(sorted_names, (std::array<char, 3>{'b', 'c', 'a'}));

  const std::vector<column> moved = {column::of(days), column::of(keys.begin())};
  gpusort::sort_table(par_gpu, order, moved.begin(), moved.size(), 3);
  EXPECT_EQ(days[0], 8);
  EXPECT_EQ(keys, (std::vector<int>{1, 2, 3}));
}

TEST(tables, of_no_rows_are_no_work) {
  table_order order;
  order.asc(column::of(static_cast<const int*>(nullptr)));
  gpusort::argsort_table(par_gpu, order, 0, static_cast<int*>(nullptr));
  gpusort::sort_table(par_gpu, order, nullptr, 0, 0);
  gpusort::gather_table(par_gpu, nullptr, 0, static_cast<const int*>(nullptr), 0, nullptr);
  EXPECT_TRUE(gpusort::is_table_sorted(par_gpu, order, 0));
}

TEST(tables, gather_rows_that_repeat) {
  const std::vector<double> from = {0.5, 1.5, 2.5};
  const std::uint8_t valid = 5;
  const std::vector<std::int64_t> indices = {2, 2, 1, 0, 2, 1, 1, 0, 0, 2};
  std::vector<double> to(indices.size());
  std::array<std::uint8_t, 2> to_valid = {255, 255};
  const column in = column::of(from.data()).with_validity(&valid);
  const column out = column::of(to.data()).with_validity(to_valid.data());
  gpusort::gather_table(par_gpu, &in, 1, indices.data(), indices.size(), &out);
  EXPECT_EQ(to, (std::vector<double>{2.5, 2.5, 1.5, 0.5, 2.5, 1.5, 1.5, 0.5, 0.5, 2.5}));
  EXPECT_EQ(to_valid, (std::array<std::uint8_t, 2>{0b10011011, 0b11}));
}

TEST(tables, gather_nulls_where_an_index_is_no_row) {
  for (std::size_t rows : {0, 1, 40}) {
    for (std::size_t n : {1, 7, 8, 33, 1000}) {
      expect_gather_with_nulls<host_memory>(par_gpu, rows, n);
    }
  }
  const std::vector<int> from = {1, 2}, indices = {0, -1};
  std::vector<int> to(2);
  const column in = column::of(from.data()), out = column::of(to.data());
  expect_refusal("gather_table", "rows may become null, and a column of the output has no validity",
                 [&] { gpusort::gather_table(par_gpu, &in, 1, 2, indices.data(), 2, &out); });
}

TEST(tables, know_the_types_of_pointers) {
  struct point {
    float x, y, z;
  };
  EXPECT_EQ(column::of(static_cast<const int*>(nullptr)).type(), column_type::int32);
  EXPECT_EQ(column::of(static_cast<unsigned long long*>(nullptr)).type(), column_type::uint64);
  EXPECT_EQ(column::of(static_cast<signed char*>(nullptr)).type(), column_type::int8);
  EXPECT_EQ(column::of(static_cast<unsigned short*>(nullptr)).type(), column_type::uint16);
  EXPECT_EQ(column::of(static_cast<double*>(nullptr)).type(), column_type::float64);
  EXPECT_EQ(column::of(static_cast<bool*>(nullptr)).type(), column_type::boolean);
  EXPECT_EQ(column::of(static_cast<__half*>(nullptr)).type(), column_type::float16);
  EXPECT_EQ(column::of(static_cast<point*>(nullptr)).type(), column_type::record);
  EXPECT_EQ(column::of(static_cast<point*>(nullptr)).width(), 12u);
#if defined(__SIZEOF_INT128__)
  EXPECT_EQ(column::of(static_cast<__int128*>(nullptr)).type(), column_type::int128);
#endif
}

TEST(tables, refuse_what_makes_no_sense) {
  std::vector<std::uint32_t> data = {3, 1, 2, 0}, other(4), indices(4, 7);
  const auto untouched = indices;
  const std::uint32_t* const read_only = data.data();
  const auto refuses = [&](const std::string& wrong, const column& c) {
    table_order order;
    order.asc(c);
    expect_refusal("argsort_table", wrong,
                   [&] { gpusort::argsort_table(par_gpu, order, 4, indices.data()); });
    expect_refusal("is_table_sorted", wrong, [&] { gpusort::is_table_sorted(par_gpu, order, 4); });
  };
  refuses("a column has no data", column::of(static_cast<int*>(nullptr)));
  refuses("a column has elements of 0 bytes", column(column_type::bytes, data.data()));
  refuses("a column has elements of more than 60000 bytes",
          column(column_type::bytes, data.data(), 60001));
  refuses("a column has an unknown type", column(static_cast<column_type>(99), data.data(), 4));
  refuses("a column is not aligned to its type",
          column(column_type::int16, reinterpret_cast<const char*>(data.data()) + 1));
  refuses("an order has a column of records", column(column_type::record, data.data(), 4));

  table_order order;
  order.asc(column::of(read_only));
  expect_refusal("argsort_table", "there are no indices", [&] {
    gpusort::argsort_table(par_gpu, order, 4, static_cast<std::uint32_t*>(nullptr));
  });
  expect_refusal("argsort_table", "two of its ranges overlap",
                 [&] { gpusort::argsort_table(par_gpu, order, 4, data.data()); });
  expect_refusal("argsort_table", "the index type is too small for the range", [&] {
    gpusort::argsort_table(par_gpu, order, (std::uint64_t{1} << 32) + 1, indices.data());
  });
  const column in = column::of(data.data()), out = column::of(other.data());
  const column twice[] = {out, out};
  expect_refusal("sort_table", "two of its ranges overlap",
                 [&] { gpusort::sort_table(par_gpu, order, twice, 2, 4); });
  const column constant = column::of(read_only);
  expect_refusal("sort_table", "a column that is written was made of a pointer to const",
                 [&] { gpusort::sort_table(par_gpu, order, &constant, 1, 4); });
  const auto gather = [&](const column& to) {
    gpusort::gather_table(par_gpu, &in, 1, indices.data(), 4, &to);
  };
  expect_refusal("gather_table", "two of its ranges overlap", [&] { gather(in); });
  const std::string unlike = "a column of the output has another type, width or kind of validity";
  const std::string rest = " than that of the input";
  expect_refusal("gather_table", unlike + rest,
                 [&] { gather(column(column_type::int32, other.data())); });
  std::uint8_t valid = 0;
  expect_refusal("gather_table", unlike + rest, [&] { gather(out.with_validity(&valid)); });
  expect_refusal("table_order", "an order has at most 32 columns", [&] {
    for (int c = 0; c < 33; ++c) order.desc(in);
  });
  EXPECT_EQ(indices, untouched);
  EXPECT_EQ(data, (std::vector<std::uint32_t>{3, 1, 2, 0}));
}

}  // namespace
}  // namespace kit

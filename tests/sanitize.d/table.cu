// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/table.hpp>
#include <numeric>

#include "case.hpp"

namespace sanitize {
namespace {

// A key of more than one word, of which the last begins in a column and the first has nulls.
SANITIZE_CASE(tables, "encode_rows_kernel", "order_of_words_kernel", "gather_bits_kernel",
              "gather_flags_kernel", "row_or_first_kernel", "is_sorted_kernel", "verify_kernel") {
  constexpr std::size_t n = 5003, width = 13;
  const device_array<std::uint8_t> valid(random_values<std::uint8_t>((n + 7) / 8));
  const device_array<std::uint8_t> text(random_values<std::uint8_t>(width * n));
  const device_array<std::uint32_t> numbers(random_values(n)), places(n);
  const gpusort::column columns[] = {
      gpusort::column(gpusort::column_type::bytes, text.data(), width).with_validity(valid.data()),
      gpusort::column::of(numbers.data())};
  gpusort::table_order order;
  order.asc(columns[0]).desc(columns[1]);
  gpusort::argsort_table(gpusort::par_gpu.with(gpusort::verify), order, n, places.data());
  std::vector<std::uint32_t> found = places.read(), all(n);
  std::sort(found.begin(), found.end());
  std::iota(all.begin(), all.end(), std::uint32_t{0});
  expect(found == all, "no permutation");
  const device_array<std::uint8_t> text_of(width * n), bits((n + 7) / 8);
  const device_array<std::uint32_t> numbers_of(n);
  const device_array<std::uint8_t> flags(n);
  const gpusort::column gathered[] = {
      gpusort::column(gpusort::column_type::bytes, text_of.data(), width)
          .with_validity(bits.data()),
      gpusort::column::of(numbers_of.data()).with_validity(reinterpret_cast<bool*>(flags.data()))};
  gpusort::gather_table(gpusort::par_gpu, columns, 2, n / 2, places.data(), n, gathered);
  gpusort::sort_table(gpusort::par_gpu, order, columns, 2, n);
  expect(gpusort::is_table_sorted(gpusort::par_gpu, order, n), "not sorted");
}

}  // namespace
}  // namespace sanitize

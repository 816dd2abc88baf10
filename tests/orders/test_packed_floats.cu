// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of up to 8 bytes in orders that pack them into a number: with floats that are equal
// though their bits differ, of columns, and with values.
#include <thrust/iterator/zip_iterator.h>

#include <cstring>
#include <limits>
#include <utility>

#include "packed_numbers.hpp"

namespace kit {

struct number_and_float {
  std::int32_t number;
  float value;
};

TEST_F(packed_numbers, of_floats_with_two_zeros) {
  for (std::size_t n : order_sizes()) {
    column<number_and_float> input(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t r = random_at(seed(), i);
      const float values[] = {-0.0f, 0.0f, 1.5f, -1.5f, 1e30f, -1e-30f};
      input[i] = {static_cast<std::int32_t>(r % 5) - 2, values[r / 8 % 6]};
    }
    expect_numbers_sorted(
        input,
        [](const number_and_float& a, const number_and_float& b) {
          return a.value != b.value ? a.value < b.value : a.number > b.number;
        },
        gpusort::order_by(gpusort::asc<&number_and_float::value>(),
                          gpusort::desc<&number_and_float::number>()));
  }
}

/// Returns few numbers, so that the floats decide: of all kinds, and such as integers have.
column<number_and_float> numbers_and_floats(std::size_t n) {
  column<number_and_float> elements(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed(), i);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float special[] = {-0.0f, 0.0f, nan, -nan, 1e-40f, -1e30f};
    elements[i] = {static_cast<std::int32_t>(r % 64) - 32,
                   r >> 8 & 1 ? static_cast<float>(r >> 40) : special[r / 512 % 6]};
  }
  return elements;
}

/// Returns a float as the integer that orders as IEEE 754 total order does, with equal zeros.
std::int32_t total_order(float x) {
  std::int32_t bits;
  std::memcpy(&bits, &x, sizeof(x));
  if (x == 0) return 0;
  return bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits;
}
bool number_then_float(const number_and_float& a, const number_and_float& b) {
  return a.number != b.number ? a.number > b.number : total_order(a.value) < total_order(b.value);
}

TEST_F(packed_numbers, of_floats_that_are_last) {
  for (std::size_t n : order_sizes()) {
    expect_numbers_sorted(numbers_and_floats(n), number_then_float,
                          gpusort::order_by(gpusort::desc<&number_and_float::number>(),
                                            gpusort::asc<&number_and_float::value>()));
  }
}

/// As those, in the order of elements.
TEST_F(packed_numbers, of_tuples_that_end_in_floats) {
  using tuple = std::pair<std::int32_t, float>;
  for (std::size_t n : order_sizes()) {
    const column<number_and_float> from = numbers_and_floats(n);
    column<tuple> input(n);
    for (std::size_t i = 0; i < n; ++i) input[i] = {from[i].number, from[i].value};
    const auto reference = [](const tuple& a, const tuple& b) {
      return number_then_float({a.first, a.second}, {b.first, b.second});
    };
    using gpusort::element;
    expect_numbers_sorted(input, reference,
                          gpusort::order_by(gpusort::desc(element<0>), element<1>));
  }
}

TEST_F(packed_numbers, of_columns) {
  using gpusort::element;
  for (std::size_t n : order_sizes()) {
    const column<number_and_float> input = numbers_and_floats(n);
    column<std::int32_t> numbers(n);
    column<float> floats(n);
    for (std::size_t i = 0; i < n; ++i) {
      numbers[i] = input[i].number;
      floats[i] = input[i].value;
    }
    const buffer<std::int32_t> first(numbers, 1);
    const buffer<float> second(floats, 1);
    const auto rows = thrust::make_zip_iterator(first.begin(), second.begin());
    gpusort::sort(gpusort::par_gpu, rows, rows + static_cast<std::ptrdiff_t>(n),
                  gpusort::order_by(gpusort::desc(element<0>), gpusort::asc(element<1>)));
    const auto sorted_numbers = first.read();
    const auto sorted_floats = second.read();
    column<number_and_float> result(n);
    for (std::size_t i = 0; i < n; ++i) result[i] = {sorted_numbers[i], sorted_floats[i]};
    findings f = examine(input, result, number_then_float, promise::order, std::size_t{1} << 20);
    f.zones_intact = first.intact() && second.intact();
    EXPECT_TRUE(f.ok()) << "n = " << n << ": " << f;
  }
}

TEST_F(packed_numbers, of_keys_beside_values) {
  for (std::size_t n : order_sizes()) {
    expect_values_come_along(numbers_and_floats(n), number_then_float,
                             gpusort::order_by(gpusort::desc<&number_and_float::number>(),
                                               gpusort::asc<&number_and_float::value>()));
  }
}

TEST_F(packed_numbers, of_nans_that_are_last) {
  for (std::size_t n : order_sizes()) {
    column<number_and_float> input(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t r = random_at(seed(), i);
      const float nan = std::numeric_limits<float>::quiet_NaN();
      const float values[] = {-nan, nan, static_cast<float>(r >> 40), -static_cast<float>(r >> 44)};
      input[i] = {static_cast<std::int32_t>(i), values[r % 4]};
    }
    expect_numbers_sorted(
        input,
        [](const number_and_float& a, const number_and_float& b) {
          return a.value == a.value && (b.value != b.value || a.value < b.value);
        },
        gpusort::order_by(gpusort::asc<&number_and_float::value>().nan_last()));
  }
}

}  // namespace kit

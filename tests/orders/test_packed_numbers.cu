// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of up to 16 bytes in orders that pack them into a number: of part of their bits, in both
// directions, with floats that are equal though their bits differ, and by pairs; of columns, and
// beside values.
#include <thrust/iterator/zip_iterator.h>

#include <cstring>
#include <limits>
#include <utility>

#include "../kit/expect_sorted.hpp"
#include "../kit/sizes.hpp"

namespace kit {

using packed_numbers = gpu_test;

/// Elements made of random numbers that each distribution has; what is longer ends in the index.
template <class T>
column<T> elements_of(distribution d, std::size_t n) {
  const auto words = generate<std::uint64_t>(d, n, seed());
  column<T> elements(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t all[] = {words[i], i};
    static_assert(sizeof(T) <= sizeof(all));
    std::memcpy(static_cast<void*>(&elements[i]), all, sizeof(T));
  }
  return elements;
}

/// By sort alone: no sort of numbers is stable.
template <class T, class Reference, class... Order>
void expect_numbers_sorted(const column<T>& input, Reference reference, Order... order) {
  const buffer<T> range(input, 1);
  gpusort::sort(gpusort::par_gpu, range.begin(), range.end(), order...);
  findings f = examine(input, range.read(), reference, promise::order, std::size_t{1} << 20);
  f.zones_intact = range.intact();
  EXPECT_TRUE(f.ok()) << "n = " << input.size() << ": " << f;
}

template <class T, class Reference, class... Order>
void expect_all_sorted(Reference reference, Order... order) {
  for (distribution d : every_distribution) {
    for (std::size_t n : order_sizes()) {
      SCOPED_TRACE(name_of(d));
      expect_numbers_sorted(elements_of<T>(d, n), reference, order...);
    }
  }
}

struct short_fields {
  std::uint16_t first;
  std::int16_t second;
};

TEST_F(packed_numbers, of_part_of_4_bytes) {
  expect_all_sorted<short_fields>(
      [](const short_fields& a, const short_fields& b) { return a.second < b.second; },
      gpusort::order_by(gpusort::asc<&short_fields::second>()));
}

struct words {
  std::uint32_t first;
  std::int32_t second;
};

TEST_F(packed_numbers, of_both_words) {
  expect_all_sorted<words>(
      [](const words& a, const words& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
      },
      gpusort::order_by(gpusort::desc<&words::second>(), gpusort::asc<&words::first>()));
}

TEST_F(packed_numbers, of_pairs_by_default) {
  using pair = std::pair<std::int32_t, std::uint32_t>;
  expect_all_sorted<pair>([](const pair& a, const pair& b) { return a < b; });
}

struct three_words {
  std::uint32_t first;
  std::int32_t second;
  std::uint32_t index;
};

TEST_F(packed_numbers, of_one_word_of_three) {
  expect_all_sorted<three_words>(
      [](const three_words& a, const three_words& b) { return a.second > b.second; },
      gpusort::order_by(gpusort::desc<&three_words::second>()));
}

struct four_words {
  std::uint32_t first;
  std::int32_t second;
  std::uint64_t index;
};

TEST_F(packed_numbers, of_two_words_of_four) {
  expect_all_sorted<four_words>(
      [](const four_words& a, const four_words& b) {
        return a.second != b.second ? a.second < b.second : a.first > b.first;
      },
      gpusort::order_by(gpusort::asc<&four_words::second>(), gpusort::desc<&four_words::first>()));
}

struct name {
  char letters[5];
  std::uint8_t other;
};

TEST_F(packed_numbers, of_strings) {
  expect_all_sorted<name>(
      [](const name& a, const name& b) { return std::memcmp(a.letters, b.letters, 5) < 0; },
      gpusort::order_by(gpusort::asc<&name::letters>()));
}

struct long_name {
  char letters[7];
  std::uint8_t other[4];
};

TEST_F(packed_numbers, of_strings_of_odd_records) {
  expect_all_sorted<long_name>(
      [](const long_name& a, const long_name& b) {
        return std::memcmp(a.letters, b.letters, sizeof(a.letters)) > 0;
      },
      gpusort::order_by(gpusort::desc<&long_name::letters>()));
}

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

/// Few numbers, so that the floats decide: of all kinds, and such as integers have.
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

/// A float as the integer that orders as IEEE 754 total order does, with equal zeros.
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

/// Orders that name a field twice, or two in one place: what none names comes along.
struct union_and_word {
  union {
    std::uint32_t number;
    std::int32_t same;
  };
  std::uint32_t other;
};

TEST_F(packed_numbers, of_orders_that_name_a_field_twice) {
  using gpusort::asc;
  using gpusort::element;
  using pair = std::pair<std::uint32_t, std::uint32_t>;
  expect_all_sorted<pair>([](const pair& a, const pair& b) { return a.first < b.first; },
                          gpusort::order_by(element<0>, element<0>));
  const auto by_number = [](const union_and_word& a, const union_and_word& b) {
    return a.number < b.number;
  };
  expect_all_sorted<union_and_word>(
      by_number, gpusort::order_by(asc<&union_and_word::number>(), asc<&union_and_word::number>()));
  expect_all_sorted<union_and_word>(
      by_number, gpusort::order_by(asc<&union_and_word::number>(), asc<&union_and_word::same>()));
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

/// Each value is its key's index, so it tells whether it came along.
template <class Key, class Reference, class Order>
void expect_values_come_along(const column<Key>& input, Reference reference, Order order) {
  const std::size_t n = input.size();
  column<std::uint32_t> indices(n);
  for (std::size_t i = 0; i < n; ++i) indices[i] = static_cast<std::uint32_t>(i);
  const buffer<Key> keys(input, 1);
  const buffer<std::uint32_t> values(indices, 1);
  gpusort::sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin(), order);
  const auto sorted = keys.read();
  const auto from = values.read();
  findings f = examine(input, sorted, reference, promise::order, std::size_t{1} << 20);
  f.zones_intact = keys.intact() && values.intact();
  EXPECT_TRUE(f.ok()) << "n = " << n << ": " << f;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    wrong += from[i] >= n || std::memcmp(&sorted[i], &input[from[i]], sizeof(sorted[i])) != 0;
  }
  EXPECT_EQ(wrong, 0u) << "n = " << n;
}

TEST_F(packed_numbers, of_keys_beside_values) {
  for (std::size_t n : order_sizes()) {
    expect_values_come_along(numbers_and_floats(n), number_then_float,
                             gpusort::order_by(gpusort::desc<&number_and_float::number>(),
                                               gpusort::asc<&number_and_float::value>()));
    expect_values_come_along(
        elements_of<three_words>(distribution::uniform, n),
        [](const three_words& a, const three_words& b) { return a.second < b.second; },
        gpusort::order_by(gpusort::asc<&three_words::second>()));
    expect_values_come_along(
        elements_of<four_words>(distribution::uniform, n),
        [](const four_words& a, const four_words& b) { return a.second < b.second; },
        gpusort::order_by(gpusort::asc<&four_words::second>()));
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

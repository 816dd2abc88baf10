// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of up to 8 bytes in orders that pack them into a number: of part of their bits, in both
// directions, and by pairs.
#include <cstring>
#include <utility>

#include "packed_numbers.hpp"

namespace kit {

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

struct name {
  char letters[5];
  std::uint8_t other;
};

TEST_F(packed_numbers, of_strings) {
  expect_all_sorted<name>(
      [](const name& a, const name& b) { return std::memcmp(a.letters, b.letters, 5) < 0; },
      gpusort::order_by(gpusort::asc<&name::letters>()));
}

/// Orders that name a field twice, or two in one place: what none names comes along.
union number_or_words {
  std::uint32_t number;
  std::int32_t same;
  std::uint32_t words[2];
};

TEST_F(packed_numbers, of_orders_that_name_a_field_twice) {
  using gpusort::asc;
  using gpusort::element;
  using pair = std::pair<std::uint32_t, std::uint32_t>;
  expect_all_sorted<pair>([](const pair& a, const pair& b) { return a.first < b.first; },
                          gpusort::order_by(element<0>, element<0>));
  const auto by_number = [](const number_or_words& a, const number_or_words& b) {
    return a.number < b.number;
  };
  expect_all_sorted<number_or_words>(by_number, gpusort::order_by(asc<&number_or_words::number>(),
                                                                  asc<&number_or_words::number>()));
  expect_all_sorted<number_or_words>(
      by_number, gpusort::order_by(asc<&number_or_words::number>(), asc<&number_or_words::same>()));
}

}  // namespace kit

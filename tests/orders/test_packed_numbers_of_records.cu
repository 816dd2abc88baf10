// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 9 to 16 bytes in orders that pack part of them into a number, alone and with
// values.
#include "packed_numbers.hpp"

namespace kit {

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

TEST_F(packed_numbers, of_long_keys_beside_values) {
  for (std::size_t n : order_sizes()) {
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

}  // namespace kit

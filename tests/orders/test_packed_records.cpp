// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records as the numbers that tiles hold in their place: which can be packed, that packing orders
// as the order does, and that it can be undone.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/packed_record.hpp>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace kit {
namespace {

using gpusort::asc;
using gpusort::desc;
using gpusort::element;
using gpusort::order_by;
using gpusort::detail::is_packable_v;

struct words {
  std::int32_t number;
  float value;
};

template <class T, class Order>
constexpr bool can_pack(Order) {
  return is_packable_v<T, Order>;
}

TEST(packed_records, are_those_that_an_order_reads_to_the_last_bit) {
  using gpusort::greater;
  using gpusort::less;
  static_assert(is_packable_v<std::pair<int, float>, less>);
  static_assert(is_packable_v<std::pair<std::int16_t, std::int16_t>, greater>);
  static_assert(is_packable_v<std::tuple<char, signed char, short, float>, less>);
  static_assert(is_packable_v<std::pair<std::array<std::uint8_t, 4>, unsigned>, less>);
  using numbers = std::tuple<std::uint16_t, std::int8_t, std::uint8_t>;
  static_assert(can_pack<numbers>(order_by(element<2>, desc(element<1>), element<0>)));
  // Zeros of both signs are equal, so what is after a float must not depend on them.
  static_assert(!is_packable_v<std::pair<float, int>, less>);
  static_assert(!is_packable_v<std::pair<std::pair<short, __int128>, int>, less>);
  static_assert(!can_pack<std::pair<int, float>>(order_by(element<1>, element<0>)));
  // Bytes that may become others, and what is elsewhere.
  static_assert(!is_packable_v<std::tuple<bool, bool, short>, less>);
  static_assert(!is_packable_v<std::tuple<double&>, less>);
  // Bits that the order does not read.
  static_assert(!is_packable_v<std::pair<char, int>, less>);
  static_assert(!is_packable_v<std::pair<char, char>, less>);
  static_assert(!can_pack<numbers>(order_by(element<0>, element<1>)));
  static_assert(!can_pack<std::pair<int, unsigned>>(order_by(element<0>, element<0>)));
  static_assert(!can_pack<numbers>(order_by(element<0>, desc(element<0>))));
  // Members may be in the same place.
  static_assert(!can_pack<words>(order_by(asc<&words::number>(), asc<&words::value>())));
  static_assert(!can_pack<words>(order_by(asc<&words::number>(), desc<&words::number>())));
  // Fields at offsets that are not known, and NaNs that are equal.
  static_assert(!can_pack<words>(order_by(asc(&words::number), asc(&words::value))));
  static_assert(!can_pack<std::pair<int, float>>(order_by(element<0>, asc(element<1>).nan_last())));
  static_assert(!is_packable_v<words, less>);
  static_assert(!is_packable_v<float, less>);
}

template <class T, class Order>
void expect_packed(const std::vector<T>& values, Order order) {
  using gpusort::detail::stored_t;
  using codec = gpusort::detail::as_packed<T, Order>;
  static_assert(is_packable_v<T, Order>);
  const auto stored = [](const T& x) {
    stored_t<T> s;
    std::memcpy(&s, static_cast<const void*>(&x), sizeof(s));
    return s;
  };
  for (const T& a : values) {
    const auto in = stored(a);
    const auto number = codec::encode(in);
    const auto out = codec::template decode<stored_t<T>>(number);
    EXPECT_EQ(std::memcmp(&in, &out, sizeof(T)), 0);
    for (const T& b : values) {
      if (order(a, b)) {
        EXPECT_LT(number, codec::encode(stored(b)));
      }
    }
  }
}

std::vector<float> floats() {
  using limits = std::numeric_limits<float>;
  return {-limits::quiet_NaN(),
          -limits::infinity(),
          -1.5f,
          -limits::denorm_min(),
          -0.0f,
          0.0f,
          limits::min(),
          limits::max(),
          limits::infinity(),
          limits::quiet_NaN()};
}

TEST(packed_records, order_and_come_back) {
  std::vector<std::pair<int, float>> pairs;
  for (int number : {std::numeric_limits<int>::min(), -1, 0, 7}) {
    for (float value : floats()) pairs.emplace_back(number, value);
  }
  expect_packed(pairs, order_by(element<0>, desc(element<1>)));
  expect_packed(pairs, order_by(desc(element<0>), element<1>));
  expect_packed(pairs, gpusort::less{});
  expect_packed(pairs, gpusort::greater{});

  std::vector<std::tuple<std::uint16_t, std::int8_t, std::uint8_t>> tuples;
  std::vector<std::array<std::int16_t, 4>> arrays;
  for (unsigned i = 0; i < 64; ++i) {
    const auto at = [&](unsigned k) { return static_cast<std::uint8_t>(i >> 2 * k & 3); };
    tuples.emplace_back(static_cast<std::uint16_t>(0x7ffe + at(0)),
                        static_cast<std::int8_t>(at(1) - 2),
                        static_cast<std::uint8_t>(0x7e + at(2)));
    arrays.push_back({static_cast<std::int16_t>(at(0) - 2), 5, static_cast<std::int16_t>(at(1) - 1),
                      static_cast<std::int16_t>(at(2))});
  }
  expect_packed(tuples, order_by(element<2>, desc(element<1>), element<0>));
  expect_packed(tuples, gpusort::less{});
  expect_packed(arrays, gpusort::greater{});
}

}  // namespace
}  // namespace kit

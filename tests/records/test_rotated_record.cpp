// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <gpusort/detail/support/projection.hpp>
#include <gpusort/detail/support/rotated_record.hpp>
#include <gpusort/gpusort.hpp>

namespace {

using namespace gpusort;

template <std::size_t Bytes>
void expect_rotated() {
  using rotation = detail::rotation<Bytes, 4>;
  typename rotation::word record;
  unsigned char bytes[Bytes];
  for (std::size_t i = 0; i < Bytes; ++i) bytes[i] = static_cast<unsigned char>(i + 1);
  std::memcpy(&record, bytes, Bytes);
  for (std::uint32_t offset = 0; offset < Bytes; ++offset) {
    const rotation moved{offset};
    const auto held = moved.encode(record);
    unsigned char wanted[Bytes];
    std::rotate_copy(bytes, bytes + offset, bytes + Bytes, wanted);
    ASSERT_EQ(std::memcmp(&held, wanted, Bytes), 0) << Bytes << " bytes, offset " << offset;
    const auto back = moved.decode(held);
    ASSERT_EQ(std::memcmp(&back, bytes, Bytes), 0) << Bytes << " bytes, offset " << offset;
  }
}

TEST(rotated_record, begins_at_any_byte) {
  expect_rotated<4>();
  expect_rotated<8>();
  expect_rotated<12>();
  expect_rotated<16>();
  expect_rotated<20>();
  expect_rotated<24>();
  expect_rotated<28>();
  expect_rotated<32>();
}

struct inner {
  short a;
  float b;
};
struct base {
  int first;
};
struct record : base {
  inner x;
  bool flag;
  char name[7];
};

template <class Order>
std::size_t offset_in_record(const Order& order) {
  static_assert(detail::is_rotatable_v<record, Order>);
  return detail::order_by_number_named<Order, record>::offset(order);
}

TEST(rotated_record, begins_with_a_number_that_pointers_name) {
  EXPECT_EQ(offset_in_record(order_by(asc(&record::x, &inner::b))), 8u);
  EXPECT_EQ(offset_in_record(order_by(desc(&record::x, &inner::a))), 4u);
  EXPECT_EQ(offset_in_record(order_by(asc(&base::first))), 0u);
  EXPECT_EQ(offset_in_record(order_by(asc(&record::x, &inner::b).nan_last())), 8u);
}

template <class T, class Order>
constexpr bool is_rotatable(const Order&) {
  return detail::is_rotatable_v<T, Order>;
}

TEST(rotated_record, is_for_one_number_of_whole_words) {
  EXPECT_FALSE(is_rotatable<record>(order_by(asc(&record::flag))));
  EXPECT_FALSE(is_rotatable<record>(order_by(asc(&record::name))));
  EXPECT_FALSE(is_rotatable<record>(order_by(asc(&base::first), asc(&record::x, &inner::a))));
  EXPECT_FALSE(is_rotatable<record>(order_by(asc<&record::first>())));
  EXPECT_FALSE(is_rotatable<record>(order_by(asc(&base::first).nulls_last(&record::flag))));
  struct short_words {
    short a, b;
  };
  EXPECT_FALSE(is_rotatable<short_words>(order_by(asc(&short_words::b))));
}

}  // namespace

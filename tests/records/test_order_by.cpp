// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// order_by by brute force: as a comparator, and as an unsigned key.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/records.hpp>
#include <limits>
#include <tuple>
#include <vector>

namespace {

using gpusort::asc;
using gpusort::desc;
using gpusort::order_by;
namespace detail = gpusort::detail;

struct record {
  std::int16_t level;
  float distance;
  bool flag;
  std::uint64_t big;
  double wide;
  std::int8_t tiny;
  char letter;
};

template <class T>
std::vector<T> special() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T nan = limits::quiet_NaN();
    return {T(-0.0),
            T(0.0),
            T(1),
            T(-1),
            limits::infinity(),
            -limits::infinity(),
            limits::denorm_min(),
            limits::max(),
            nan,
            std::copysign(nan, T(-1))};
  } else {
    return {limits::min(), limits::max(), T(0), T(1), static_cast<T>(-1)};
  }
}

/// -1, 0 or 1 by the documented order, from nothing of the library.
template <class T>
int reference(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto rank = [](T x) { return std::isnan(x) ? (std::signbit(x) ? -1 : 1) : 0; };
    if (rank(a) != rank(b)) return rank(a) < rank(b) ? -1 : 1;
    if (rank(a) != 0) return 0;
  }
  return a < b ? -1 : b < a ? 1 : 0;
}

std::vector<record> records() {
  std::vector<record> all;
  std::uint64_t state = 1;
  const auto pick = [&](const auto& values) {
    state = detail::mix_bits(state);
    return values[state % values.size()];
  };
  for (int i = 0; i < 300; ++i) {
    all.push_back({pick(special<std::int16_t>()), pick(special<float>()),
                   pick(std::vector<int>{0, 1}) != 0, pick(special<std::uint64_t>()),
                   pick(special<double>()), pick(special<std::int8_t>()), pick(special<char>())});
  }
  return all;
}

/// Every pair of records: the comparator and the keys against `compare`, which gives -1, 0 or 1.
template <class Order, class Compare>
void expect_order(Order order, Compare compare) {
  using encoding = detail::key_encoding<Order, record>;
  const std::vector<record> all = records();
  for (const record& a : all) {
    for (const record& b : all) {
      const int wanted = compare(a, b);
      ASSERT_EQ(order(a, b), wanted < 0);
      if constexpr (encoding::is_encodable) {
        const auto x = encoding::encode(order, a);
        const auto y = encoding::encode(order, b);
        ASSERT_EQ(x < y, wanted < 0);
        ASSERT_EQ(x == y, wanted == 0);
        if constexpr (encoding::bits < 8 * int(sizeof(x))) {
          ASSERT_TRUE((x >> encoding::bits) == 0);
        }
      }
    }
  }
}

template <class... Numbers>
int first_of(Numbers... numbers) {
  int result = 0;
  ((result = result != 0 ? result : numbers), ...);
  return result;
}

TEST(order_by, one_member) {
  using encoding = detail::key_encoding<decltype(order_by(asc(&record::distance))), record>;
  static_assert(std::is_same_v<encoding::key_type, std::uint32_t> && encoding::bits == 32);
  expect_order(order_by(asc(&record::distance)),
               [](const record& a, const record& b) { return reference(a.distance, b.distance); });
  expect_order(order_by(desc(&record::distance)),
               [](const record& a, const record& b) { return reference(b.distance, a.distance); });
  expect_order(order_by(desc(&record::level)),
               [](const record& a, const record& b) { return reference(b.level, a.level); });
  expect_order(order_by(asc(&record::flag)),
               [](const record& a, const record& b) { return int(a.flag) - int(b.flag); });
}

TEST(order_by, mixed_directions_in_4_bytes) {
  const auto order = order_by(desc(&record::tiny), asc(&record::level), desc(&record::flag));
  static_assert(sizeof(order.encode(record{})) == 4 && decltype(order)::bits == 32);
  expect_order(order_by(desc(&record::tiny), asc(&record::level), desc(&record::flag)),
               [](const record& a, const record& b) {
                 return first_of(reference(b.tiny, a.tiny), reference(a.level, b.level),
                                 int(b.flag) - int(a.flag));
               });
}

TEST(order_by, mixed_directions_in_8_bytes) {
  const auto order = order_by(asc(&record::level), desc(&record::distance), asc(&record::letter));
  static_assert(sizeof(order.encode(record{})) == 8 && decltype(order)::bits == 56);
  expect_order(order_by(asc(&record::level), desc(&record::distance), asc(&record::letter)),
               [](const record& a, const record& b) {
                 return first_of(reference(a.level, b.level), reference(b.distance, a.distance),
                                 reference(a.letter, b.letter));
               });
}

TEST(order_by, mixed_directions_in_16_bytes) {
  const auto order = order_by(desc(&record::wide), asc(&record::big));
  static_assert(sizeof(order.encode(record{})) == 16 && decltype(order)::bits == 128);
  expect_order(order_by(desc(&record::wide), asc(&record::big)),
               [](const record& a, const record& b) {
                 return first_of(reference(b.wide, a.wide), reference(a.big, b.big));
               });
  expect_order(order_by(asc(&record::distance), desc(&record::big)),
               [](const record& a, const record& b) {
                 return first_of(reference(a.distance, b.distance), reference(b.big, a.big));
               });
}

TEST(order_by, is_a_comparator_beyond_128_bits) {
  using order = decltype(order_by(desc(&record::wide), asc(&record::big), asc(&record::tiny)));
  static_assert(detail::is_order_by_v<order> && !detail::is_encodable_v<order, record>);
  expect_order(order_by(desc(&record::wide), asc(&record::big), asc(&record::tiny)),
               [](const record& a, const record& b) {
                 return first_of(reference(b.wide, a.wide), reference(a.big, b.big),
                                 reference(a.tiny, b.tiny));
               });
}

struct name {
  int length;
  friend bool operator<(const name& a, const name& b) { return a.length < b.length; }
};
struct person {
  name family;
  int age;
};
struct employee : person {
  int room;
};

TEST(order_by, compares_members_of_a_type_of_its_own) {
  const auto order = order_by(asc(&person::family), desc(&person::age));
  static_assert(!decltype(order)::is_encodable);
  EXPECT_TRUE(order(person{{1}, 5}, person{{2}, 5}));
  EXPECT_TRUE(order(person{{1}, 6}, person{{1}, 5}));
  EXPECT_FALSE(order(person{{1}, 5}, person{{1}, 5}));
}

TEST(order_by, takes_members_of_a_base) {
  const auto order = order_by(asc(&employee::room), desc(&employee::age));
  employee a{};
  employee b{};
  a.age = 3;
  b.age = 2;
  EXPECT_TRUE(order(a, b));
  EXPECT_LT(order.encode(a), order.encode(b));
}

TEST(key_encoding, of_less_greater_and_projections) {
  using gpusort::greater;
  using gpusort::less;
  for (double a : special<double>()) {
    for (double b : special<double>()) {
      const auto up = [](double x) { return detail::key_encoding<less, double>::encode({}, x); };
      const auto down = [](double x) {
        return detail::key_encoding<greater, double>::encode({}, x);
      };
      EXPECT_EQ(up(a) < up(b), reference(a, b) < 0);
      EXPECT_EQ(down(a) < down(b), reference(a, b) > 0);
    }
  }
  // Bits above those of a short key stay clear.
  EXPECT_EQ((detail::key_encoding<greater, std::uint8_t>::encode({}, 255)), 0u);
  EXPECT_EQ((detail::key_encoding<greater, std::int8_t>::encode({}, -128)), 255u);

  const auto level = [](const record& r) { return r.level; };
  expect_order(detail::projected<less, decltype(level)>{{}, level},
               [](const record& a, const record& b) { return reference(a.level, b.level); });
  expect_order(detail::projected<greater, float record::*>{{}, &record::distance},
               [](const record& a, const record& b) { return reference(b.distance, a.distance); });
  static_assert(!detail::is_encodable_v<less, record>);
}

}  // namespace

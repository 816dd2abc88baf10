// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// order_by by brute force: as a comparator, and as an unsigned key.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/records.hpp>
#include <limits>
#include <tuple>
#include <utility>
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

/// Returns -1, 0 or 1 by the documented order, from nothing of the library.
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

/// Expects every pair of records to be ordered, by the comparator and by the keys, as by `compare`,
/// which gives -1, 0 or 1.
template <class Order, class Compare, class Record = record>
void expect_order(Order order, Compare compare, const std::vector<Record>& all = records()) {
  using encoding = detail::key_format<Order, Record>;
  for (const Record& a : all) {
    for (const Record& b : all) {
      const int wanted = compare(a, b);
      ASSERT_EQ(order(a, b), wanted < 0);
      const auto x = detail::encode_key(order, a);
      const auto y = detail::encode_key(order, b);
      ASSERT_EQ(x < y, wanted < 0);
      if constexpr (detail::has_integer_key_v<Order, Record> &&
                    encoding::bits < 8 * int(sizeof(x))) {
        ASSERT_TRUE((x >> encoding::bits) == 0);
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
  using encoding = detail::key_format<decltype(order_by(asc(&record::distance))), record>;
  static_assert(encoding::value && encoding::bits == 32);
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
  static_assert(sizeof(detail::encode_key(order, record{})) == 4 &&
                detail::key_format<std::decay_t<decltype(order)>, record>::bits == 25);
  expect_order(order_by(desc(&record::tiny), asc(&record::level), desc(&record::flag)),
               [](const record& a, const record& b) {
                 return first_of(reference(b.tiny, a.tiny), reference(a.level, b.level),
                                 int(b.flag) - int(a.flag));
               });
}

TEST(order_by, mixed_directions_in_8_bytes) {
  const auto order = order_by(asc(&record::level), desc(&record::distance), asc(&record::letter));
  static_assert(sizeof(detail::encode_key(order, record{})) == 8 &&
                detail::key_format<std::decay_t<decltype(order)>, record>::bits == 56);
  expect_order(order_by(asc(&record::level), desc(&record::distance), asc(&record::letter)),
               [](const record& a, const record& b) {
                 return first_of(reference(a.level, b.level), reference(b.distance, a.distance),
                                 reference(a.letter, b.letter));
               });
}

TEST(order_by, mixed_directions_in_16_bytes) {
  const auto order = order_by(desc(&record::wide), asc(&record::big));
  static_assert(sizeof(detail::encode_key(order, record{})) == 16 &&
                detail::key_format<std::decay_t<decltype(order)>, record>::bits == 128);
  expect_order(order_by(desc(&record::wide), asc(&record::big)),
               [](const record& a, const record& b) {
                 return first_of(reference(b.wide, a.wide), reference(a.big, b.big));
               });
  expect_order(order_by(asc(&record::distance), desc(&record::big)),
               [](const record& a, const record& b) {
                 return first_of(reference(a.distance, b.distance), reference(b.big, a.big));
               });
}

TEST(order_by, has_words_beyond_128_bits) {
  using order = decltype(order_by(desc(&record::wide), asc(&record::big), asc(&record::tiny)));
  static_assert(detail::is_encodable_v<order, record> && !detail::has_integer_key_v<order, record>);
  static_assert(sizeof(detail::encoded_key_t<order, record>) == 24);
  expect_order(order_by(desc(&record::wide), asc(&record::big), asc(&record::tiny)),
               [](const record& a, const record& b) {
                 return first_of(reference(b.wide, a.wide), reference(a.big, b.big),
                                 reference(a.tiny, b.tiny));
               });
}

struct numbers {
  std::array<std::uint8_t, 3> first;
  std::array<std::uint64_t, 7> others;
};

/// Returns the key that stays in memory.
template <class Order, class T>
auto long_key_of(const Order& order, const T& x) {
  detail::long_key_t<Order, T> key{};
  constexpr int bits = detail::key_format<Order, T>::bits;
  int lowest = bits;
  for (auto& [high, low] : key.pairs) {
    high = detail::encode_word<std::uint64_t>(order, x, lowest -= 64);
    low = detail::encode_word<std::uint64_t>(order, x, lowest -= 64);
  }
  return key;
}

TEST(order_by, has_long_keys_beyond_448_bits) {
  const auto longest = order_by(desc(&numbers::others));
  static_assert(sizeof(detail::encode_key(longest, numbers{})) == 56);
  const auto longer = order_by(asc(&numbers::first), desc(&numbers::others));
  using type = std::decay_t<decltype(longer)>;
  static_assert(detail::key_format<type, numbers>::bits == 472);
  static_assert(!detail::is_encodable_v<type, numbers> && detail::has_long_key_v<type, numbers>);
  static_assert(sizeof(detail::long_key_t<type, numbers>) == 64);
  static_assert(!detail::has_long_key_v<std::decay_t<decltype(longest)>, numbers>);
  std::vector<numbers> all;
  for (std::uint64_t i = 0; i < 64; ++i) {
    numbers x{};
    x.first[2] = static_cast<std::uint8_t>(i & 1);
    x.others[i / 2 % 7] = i << 60 | (i & 7);
    all.push_back(x);
  }
  expect_order(
      longest, [](const numbers& a, const numbers& b) { return reference(b.others, a.others); },
      all);
  for (const numbers& a : all) {
    for (const numbers& b : all) {
      const int wanted = first_of(reference(a.first, b.first), reference(b.others, a.others));
      ASSERT_EQ(longer(a, b), wanted < 0);
      ASSERT_EQ(long_key_of(longer, a) < long_key_of(longer, b), wanted < 0);
    }
  }
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
  static_assert(!detail::is_encodable_v<std::decay_t<decltype(order)>, person>);
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
  EXPECT_LT(detail::encode_key(order, a), detail::encode_key(order, b));
}

TEST(key_format, of_less_greater_and_projections) {
  using gpusort::greater;
  using gpusort::less;
  for (double a : special<double>()) {
    for (double b : special<double>()) {
      const auto up = [](double x) { return detail::encode_key(less{}, x); };
      const auto down = [](double x) { return detail::encode_key(greater{}, x); };
      EXPECT_EQ(up(a) < up(b), reference(a, b) < 0);
      EXPECT_EQ(down(a) < down(b), reference(a, b) > 0);
    }
  }
  // Bits above those of a short key stay clear.
  EXPECT_EQ(detail::encode_key(greater{}, std::uint8_t{255}), 0u);
  EXPECT_EQ(detail::encode_key(greater{}, std::int8_t{-128}), 255u);

  const auto level = [](const record& r) { return r.level; };
  expect_order(detail::projected<less, decltype(level)>{{}, level},
               [](const record& a, const record& b) { return reference(a.level, b.level); });
  expect_order(detail::projected<greater, float record::*>{{}, &record::distance},
               [](const record& a, const record& b) { return reference(b.distance, a.distance); });
  static_assert(!detail::is_encodable_v<less, record>);
}

// -- nested members, functions, nulls, NaNs, strings of bytes, compounds --------------------------

struct sample {
  float value;
  bool is_valid;
};
struct row {
  int id;
  sample first;
  double second;
  unsigned nulls;
  char name[5];
  std::pair<std::int16_t, std::uint8_t> pair;
  std::tuple<std::int8_t, float> tuple;
  std::array<std::byte, 3> bytes;
};

std::vector<row> rows() {
  std::vector<row> all;
  std::uint64_t state = 7;
  const auto pick = [&](const auto& values) {
    state = detail::mix_bits(state);
    return values[state % values.size()];
  };
  const std::vector<int> bits = {0, 1, 127, 128, 255};
  for (int i = 0; i < 200; ++i) {
    row r{};
    r.id = pick(special<int>());
    r.first = {pick(special<float>()), pick(bits) != 0};
    r.second = pick(special<double>());
    r.nulls = static_cast<unsigned>(pick(bits));
    for (char& c : r.name) c = static_cast<char>(pick(bits));
    r.pair = {pick(special<std::int16_t>()), static_cast<std::uint8_t>(pick(bits))};
    r.tuple = {pick(special<std::int8_t>()), pick(special<float>())};
    for (std::byte& b : r.bytes) b = static_cast<std::byte>(pick(bits));
    all.push_back(r);
  }
  return all;
}

int sign(int x) { return (x > 0) - (x < 0); }

TEST(order_by, members_of_members_and_functions_and_bare_members) {
  expect_order(
      order_by(&row::id, desc(&row::first, &sample::value)),
      [](const row& a, const row& b) {
        return first_of(reference(a.id, b.id), reference(b.first.value, a.first.value));
      },
      rows());
  const auto low = [](const row& r) -> std::int16_t { return static_cast<std::int16_t>(r.id); };
  expect_order(
      order_by(asc(low), desc(&row::id)),
      [](const row& a, const row& b) {
        return first_of(reference(static_cast<std::int16_t>(a.id), static_cast<std::int16_t>(b.id)),
                        reference(b.id, a.id));
      },
      rows());
}

/// Returns -1, 0 or 1 by whether either is null, and else by `values`.
int with_nulls(bool is_a, bool is_b, bool nulls_first, int values) {
  if (is_a && is_b) return values;
  if (is_a == is_b) return 0;
  return is_a == nulls_first ? 1 : -1;
}

TEST(order_by, members_known_when_compiled) {
  const auto order = order_by(asc<&row::id>(), desc<&row::second>().nan_last());
  static_assert(detail::has_fixed_offsets_v<std::decay_t<decltype(order)>>);
  static_assert(!detail::has_fixed_offsets_v<decltype(order_by(asc(&row::id)))>);
  const auto function = [](const row& r) -> int { return r.id; };
  static_assert(!detail::has_fixed_offsets_v<decltype(order_by(asc(function)))>);
  static_assert(detail::has_fixed_offsets_v<decltype(order_by(gpusort::element<0>))>);
  static_assert(detail::has_fixed_offsets_v<gpusort::less>);
  expect_order(
      order_by(asc<&row::id>(), desc<&row::second>()),
      [](const row& a, const row& b) {
        return first_of(reference(a.id, b.id), reference(b.second, a.second));
      },
      rows());
}

TEST(order_by, nulls_first_or_last_whichever_way_a_field_counts) {
  const auto valid = [](const row& r) -> bool { return r.nulls % 2 == 0; };
  expect_order(
      order_by(asc(&row::second).nulls_first(valid),
               desc(&row::first, &sample::value).nulls_last([](const row& r) -> bool {
                 return r.first.is_valid;
               })),
      [&](const row& a, const row& b) {
        return first_of(with_nulls(valid(a), valid(b), true, reference(a.second, b.second)),
                        with_nulls(a.first.is_valid, b.first.is_valid, false,
                                   reference(b.first.value, a.first.value)));
      },
      rows());
  expect_order(
      order_by(desc(&row::id).nulls_first(valid), asc(&row::id).nulls_last(&row::nulls)),
      [&](const row& a, const row& b) {
        return first_of(with_nulls(valid(a), valid(b), true, reference(b.id, a.id)),
                        with_nulls(a.nulls != 0, b.nulls != 0, false, reference(a.id, b.id)));
      },
      rows());
}

TEST(order_by, nan_first_or_last_whichever_way_a_field_counts) {
  const auto expect = [](auto order, bool first, bool descending) {
    expect_order(
        order,
        [&](const row& a, const row& b) {
          return with_nulls(
              !std::isnan(a.second), !std::isnan(b.second), first,
              descending ? reference(b.second, a.second) : reference(a.second, b.second));
        },
        rows());
  };
  expect(order_by(asc(&row::second).nan_first()), true, false);
  expect(order_by(asc(&row::second).nan_last()), false, false);
  expect(order_by(desc(&row::second).nan_first()), true, true);
  expect(order_by(desc(&row::second).nan_last()), false, true);
}

TEST(order_by, strings_of_bytes_as_memcmp) {
  const auto order = order_by(&row::name, desc(&row::bytes));
  static_assert(detail::key_format<std::decay_t<decltype(order)>, row>::bits == 64);
  expect_order(
      order_by(&row::name, desc(&row::bytes)),
      [](const row& a, const row& b) {
        return first_of(sign(std::memcmp(a.name, b.name, sizeof a.name)),
                        sign(std::memcmp(b.bytes.data(), a.bytes.data(), 3)));
      },
      rows());
}

TEST(order_by, pairs_and_tuples) {
  expect_order(
      order_by(desc(&row::pair), &row::tuple),
      [](const row& a, const row& b) {
        return first_of(reference(b.pair.first, a.pair.first),
                        reference(b.pair.second, a.pair.second),
                        reference(std::get<0>(a.tuple), std::get<0>(b.tuple)),
                        reference(std::get<1>(a.tuple), std::get<1>(b.tuple)));
      },
      rows());
}

TEST(order_by, elements_of_tuples) {
  using element = std::tuple<std::int16_t, float, std::uint8_t>;
  std::vector<element> all;
  for (const row& r : rows()) {
    all.emplace_back(r.pair.first, r.first.value, r.pair.second);
  }
  expect_order(
      order_by(desc(gpusort::element<1>), gpusort::element<2>, gpusort::element<0>),
      [](const element& a, const element& b) {
        return first_of(reference(std::get<1>(b), std::get<1>(a)),
                        reference(std::get<2>(a), std::get<2>(b)),
                        reference(std::get<0>(a), std::get<0>(b)));
      },
      all);
}

TEST(key_format, of_pairs_tuples_and_arrays) {
  using element = std::pair<std::int16_t, std::array<float, 2>>;
  std::vector<element> all;
  for (const row& r : rows()) {
    all.push_back({r.pair.first, {r.first.value, std::get<1>(r.tuple)}});
  }
  const auto compare = [](const element& a, const element& b) {
    return first_of(reference(a.first, b.first), reference(a.second[0], b.second[0]),
                    reference(a.second[1], b.second[1]));
  };
  expect_order(gpusort::less{}, compare, all);
  expect_order(
      gpusort::greater{}, [&](const element& a, const element& b) { return compare(b, a); }, all);
  static_assert(detail::key_format<gpusort::less, element>::bits == 80);
}

// Words of any width hold the same bits as the key.
TEST(key_format, in_words) {
  const auto order = order_by(asc(&row::id), desc(&row::second), asc(&row::pair));
  using type = std::decay_t<decltype(order)>;
  constexpr int bits = detail::encoded_bits<type, row>;
  static_assert(bits == 120);
  for (const row& r : rows()) {
    const unsigned __int128 key = detail::encode_key(order, r);
    for (int lowest = 0; lowest < bits; lowest += 32) {
      ASSERT_EQ(detail::encode_word<std::uint32_t>(order, r, lowest),
                static_cast<std::uint32_t>(key >> lowest));
    }
    for (int lowest = 0; lowest < bits; lowest += 64) {
      ASSERT_EQ(detail::encode_word<std::uint64_t>(order, r, lowest),
                static_cast<std::uint64_t>(key >> lowest));
    }
  }
}

}  // namespace

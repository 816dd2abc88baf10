// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short records by one number that a pointer names: they are moved, and held rotated.
#include <gpusort/detail/support/projection.hpp>

#include "../kit/expect_sorted.hpp"

namespace kit {
namespace {

struct rotated_records : gpu_test {};

/// Makes a record of random bytes and a number of few values, whose index its `id` tells.
template <class Record, class Number>
auto with_few(Number Record::*number, int values) {
  return [=](std::uint64_t i, std::uint64_t) {
    Record x{};
    std::uint64_t words[(sizeof(Record) + 7) / 8];
    for (std::size_t w = 0; w < std::size(words); ++w)
      words[w] = random_at(seed() + 2 + w, i) & 0x3f3f3f3f3f3f3f3f;  // no NaN
    std::memcpy(&x, words, sizeof(Record));
    x.id = static_cast<decltype(x.id)>(i);
    const auto few = random_at(seed(), i) % static_cast<std::uint64_t>(values);
    x.*number = static_cast<Number>(static_cast<Number>(few) - static_cast<Number>(values / 2));
    return x;
  };
}

template <class Record, class Number>
void expect_sorted_by(Number Record::*number) {
  static_assert(
      gpusort::detail::is_rotatable_v<Record, decltype(gpusort::order_by(gpusort::asc(number)))>);
  const auto before = [=](const Record& a, const Record& b) { return a.*number < b.*number; };
  for (std::size_t n : order_sizes()) {
    for (int values : {3, 100}) {
      expect_sorted(make_all(n, with_few(number, values)), before,
                    gpusort::order_by(gpusort::asc(number)));
    }
  }
}

struct bytes_and_id {
  std::uint8_t a, b, c, d;
  std::uint32_t id;
  std::uint8_t e, f, g, h;
};

TEST_F(rotated_records, begin_at_each_byte) {
  for (auto member : {&bytes_and_id::a, &bytes_and_id::b, &bytes_and_id::c, &bytes_and_id::d,
                      &bytes_and_id::e, &bytes_and_id::f, &bytes_and_id::g, &bytes_and_id::h}) {
    expect_sorted_by(member);
  }
}

struct words_and_id {
  int a, b;
  std::uint32_t id;
  int c;
};

TEST_F(rotated_records, begin_at_each_word) {
  for (auto member : {&words_and_id::a, &words_and_id::b, &words_and_id::c})
    expect_sorted_by(member);
}

struct double_and_id {
  double a;
  std::uint64_t id;
};
struct id_and_double {
  std::uint64_t id;
  double a;
};

TEST_F(rotated_records, of_doubles) {
  expect_sorted_by(&double_and_id::a);
  expect_sorted_by(&id_and_double::a);
}

/// Eight bytes, descending, NaNs last, by a projection too.
struct id_and_float {
  std::uint32_t id;
  float x;
};

TEST_F(rotated_records, of_descending_floats_with_nan) {
  const auto before = [](const id_and_float& a, const id_and_float& b) {
    if (std::isnan(a.x) || std::isnan(b.x)) return !std::isnan(a.x);
    return a.x > b.x;
  };
  const auto strictly_before = [=](const id_and_float& a, const id_and_float& b) {
    return before(a, b) && !(std::isnan(a.x) && std::isnan(b.x));
  };
  for (std::size_t n : order_sizes()) {
    auto input = make_all(n, with_few(&id_and_float::x, 100));
    for (std::size_t i = 0; i < n; i += 7) input[i].x = std::nanf("");
    for (std::size_t i = 3; i < n; i += 11) input[i].x = -0.0f;
    expect_sorted(input, strictly_before,
                  gpusort::order_by(gpusort::desc(&id_and_float::x).nan_last()));
  }
}

TEST_F(rotated_records, by_a_projection) {
  for (std::size_t n : order_sizes()) {
    expect_sorted(
        make_all(n, with_few(&id_and_float::x, 50)),
        [](const id_and_float& a, const id_and_float& b) { return a.x > b.x; }, gpusort::greater{},
        &id_and_float::x);
  }
}

/// Twelve bytes, by a member of a member.
struct inner {
  int a, b;
};
struct outer {
  std::uint32_t id;
  inner pair;
};

TEST_F(rotated_records, by_a_member_of_a_member) {
  for (auto member : {&inner::a, &inner::b}) {
    const auto make = [=](std::uint64_t i, std::uint64_t) {
      outer x{static_cast<std::uint32_t>(i), {-1, 1}};
      x.pair.*member = static_cast<int>(random_at(seed(), i) % 100) - 50;
      return x;
    };
    for (std::size_t n : order_sizes()) {
      expect_sorted(
          make_all(n, make),
          [=](const outer& a, const outer& b) { return a.pair.*member < b.pair.*member; },
          gpusort::order_by(gpusort::asc(&outer::pair, member)));
    }
  }
}

}  // namespace
}  // namespace kit

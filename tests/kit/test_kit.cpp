// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kit itself: its generator makes what it says, and its checker fails what is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "check.hpp"
#include "environment.hpp"
#include "generate.hpp"
#include "red_zones.hpp"

namespace {

using kit::column;
using kit::distribution;
using kit::promise;
using record16 = kit::record<16>;

constexpr std::size_t n = 5000;

column<record16> sorted_copy(column<record16> values) {
  std::stable_sort(values.begin(), values.end(), kit::reference_less{});
  return values;
}

column<record16> input() { return kit::generate<record16>(distribution::few_distinct, n, 1); }

// Both ways to check: exactly, and by order, checksum and positions.
class checker : public ::testing::TestWithParam<std::size_t> {
 protected:
  kit::findings examine(const column<record16>& out, promise p = promise::stability) const {
    return kit::examine(input(), out, kit::reference_less{}, p, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(kit, checker, ::testing::Values(std::size_t{1} << 16, std::size_t{0}));

TEST_P(checker, accepts_a_stable_sort) { EXPECT_TRUE(examine(sorted_copy(input())).ok()); }

TEST_P(checker, sees_a_doubled_element) {
  auto out = sorted_copy(input());
  out[n / 2] = out[n / 2 - 1];
  const auto f = examine(out, promise::permutation);
  EXPECT_FALSE(f.elements_kept);
  EXPECT_FALSE(f.ok());
}

TEST_P(checker, sees_an_exchanged_payload) {
  auto out = sorted_copy(input());
  std::swap(out[0].data[15], out[n - 1].data[14]);
  out[1].data[12] ^= 1;
  EXPECT_FALSE(examine(out, promise::permutation).elements_kept);
}

TEST_P(checker, sees_one_flipped_bit) {
  for (std::size_t byte = 0; byte < sizeof(record16); ++byte) {
    auto out = sorted_copy(input());
    out[7].data[byte] ^= 0x10;
    EXPECT_FALSE(examine(out, promise::permutation).elements_kept) << byte;
  }
}

TEST_P(checker, sees_a_lost_element) {
  const auto all = sorted_copy(input());
  column<record16> out(n - 1);
  std::copy(all.begin(), all.end() - 1, out.begin());
  const auto f = examine(out);
  EXPECT_FALSE(f.size_kept);
  EXPECT_FALSE(f.ok());
}

TEST_P(checker, sees_disorder_anywhere) {
  for (std::size_t i : {std::size_t{0}, n / 3, n - 2}) {
    auto values = kit::generate<record16>(distribution::sorted, n, 1);
    const auto in = values;
    std::swap(values[i], values[i + 1]);
    const auto f = kit::examine(in, values, kit::reference_less{}, promise::order, GetParam());
    EXPECT_TRUE(f.elements_kept);
    EXPECT_FALSE(f.ordered);
    EXPECT_EQ(f.where, i);
  }
}

TEST_P(checker, sees_instability_and_only_where_it_is_promised) {
  auto out = sorted_copy(input());
  std::swap(out[10], out[11]);  // 16 distinct keys among 5000: these two are equivalent
  EXPECT_FALSE(examine(out, promise::stability).stable);
  EXPECT_TRUE(examine(out, promise::order).ok());
}

TEST_P(checker, an_unsorted_range_is_still_a_permutation) {
  EXPECT_TRUE(examine(input(), promise::permutation).ok());
  EXPECT_FALSE(examine(input(), promise::order).ok());
}

TEST(checker, stability_of_plain_numbers_shows_in_their_lower_half) {
  const kit::opaque coarse(kit::behavior::coarse);
  auto in = kit::generate<std::uint32_t>(distribution::uniform, n, 3);
  for (auto& value : in) value &= 0x0007FFFF;
  auto out = in;
  std::stable_sort(out.begin(), out.end(), coarse);
  EXPECT_TRUE(kit::examine(in, out, coarse, promise::stability).ok());
  std::sort(out.begin(), out.end());
  EXPECT_TRUE(kit::examine(in, out, coarse, promise::order).ok());
  EXPECT_FALSE(kit::examine(in, out, coarse, promise::stability).ok());
}

TEST(red_zones, see_a_byte_written_before_or_after) {
  for (std::size_t offset : {0, 1, 3}) {
    kit::guarded<std::uint16_t> range(input().size(), offset);
    EXPECT_TRUE(range.intact());
    std::fill(range.begin(), range.end(), std::uint16_t{0});
    EXPECT_TRUE(range.intact());
    for (auto* place : {range.begin() - 1, range.end(), range.begin() - 100, range.end() + 20000}) {
      const std::uint16_t kept = *place;
      *place = static_cast<std::uint16_t>(kept ^ 1);
      EXPECT_FALSE(range.intact());
      *place = kept;
    }
    EXPECT_TRUE(range.intact());
  }
}

TEST(red_zones, offsets_misalign_the_range) {
  kit::guarded<unsigned char> range(10, 3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(range.begin()) % 256, 3u);
}

TEST(red_zones, a_range_of_nothing_is_guarded) {
  kit::guarded<int> range(0);
  EXPECT_TRUE(range.intact());
  *range.begin() = 0;
  EXPECT_FALSE(range.intact());
}

template <class T>
class values : public ::testing::Test {};
using value_types =
    ::testing::Types<bool, char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                     std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, kit::int128,
                     kit::uint128, float, double, kit::record<1>, kit::record<3>, kit::record<12>,
                     record16, kit::record<100, 1>, kit::record<4096>>;
TYPED_TEST_SUITE(values, value_types);

TYPED_TEST(values, grow_with_their_rank) {
  std::uint64_t last = 0;
  for (int i = 0; i <= 1000; ++i) {
    const std::uint64_t rank = i == 1000 ? ~std::uint64_t{0} : i * (~std::uint64_t{0} / 1000);
    const auto a = kit::make_value<TypeParam>(last, 1);
    const auto b = kit::make_value<TypeParam>(rank, 2);
    EXPECT_FALSE(kit::reference_less{}(b, a)) << i;
    last = rank;
  }
  EXPECT_TRUE(kit::reference_less{}(kit::make_value<TypeParam>(0, 0),
                                    kit::make_value<TypeParam>(~std::uint64_t{0}, 0)));
}

TYPED_TEST(values, hash_by_every_byte) {
  const auto value = kit::make_value<TypeParam>(12345, 678);
  for (std::size_t i = 0; i < sizeof(value); ++i) {
    auto other = value;
    reinterpret_cast<unsigned char*>(&other)[i] ^= 1;
    EXPECT_NE(kit::hash_of(value), kit::hash_of(other)) << i;
  }
}

TYPED_TEST(values, every_distribution_can_be_made_at_every_size) {
  for (auto d : kit::every_distribution) {
    for (std::size_t size : {1, 2, 3, 31, 33, 1000}) {
      const auto a = kit::generate<TypeParam>(d, size, 7);
      const auto b = kit::generate<TypeParam>(d, size, 7);
      EXPECT_EQ(kit::checksum_of(a), kit::checksum_of(b));
    }
  }
}

TEST(values, floats_are_finite_unless_special) {
  for (std::uint64_t i = 0; i < 10000; ++i) {
    EXPECT_TRUE(std::isfinite(kit::make_value<float>(kit::random_at(1, i), 0)));
    EXPECT_TRUE(std::isfinite(kit::make_value<double>(kit::random_at(2, i), 0)));
  }
  EXPECT_EQ(kit::make_value<float>(0, 0), std::numeric_limits<float>::lowest());
  EXPECT_EQ(kit::make_value<float>(~std::uint64_t{0}, 0), std::numeric_limits<float>::max());
  EXPECT_EQ(kit::make_value<double>(0, 0), std::numeric_limits<double>::lowest());
}

TEST(values, special_floats_are_all_there) {
  const auto values = kit::generate<float>(distribution::special, 10000, 5);
  const auto count = [&](auto predicate) {
    return std::count_if(values.begin(), values.end(), predicate);
  };
  EXPECT_GT(count([](float x) { return std::isnan(x) && std::signbit(x); }), 100);
  EXPECT_GT(count([](float x) { return std::isnan(x) && !std::signbit(x); }), 100);
  EXPECT_GT(count([](float x) { return x == 0 && std::signbit(x); }), 100);
  EXPECT_GT(count([](float x) { return x == 0 && !std::signbit(x); }), 100);
  EXPECT_GT(count([](float x) { return std::isinf(x) && x < 0; }), 100);
  EXPECT_GT(count([](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }), 100);
  EXPECT_GT(count([](float x) { return x == std::numeric_limits<float>::max(); }), 100);
}

TEST(values, total_order_of_floats) {
  const kit::reference_less less;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(less(-0.0f, 0.0f));
  EXPECT_FALSE(less(0.0f, -0.0f));
  EXPECT_TRUE(less(-1.0f, -0.0f));
  EXPECT_TRUE(less(std::copysign(nan, -1.0f), -inf));
  EXPECT_TRUE(less(inf, nan));
  EXPECT_FALSE(less(nan, nan));
}

TEST(generator, shapes) {
  const auto make = [](distribution d) { return kit::generate<std::uint64_t>(d, n, 11); };
  const auto distinct = [](const column<std::uint64_t>& v) {
    return std::set<std::uint64_t>(v.begin(), v.end()).size();
  };
  const auto sorted = make(distribution::sorted);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_EQ(distinct(sorted), n);
  const auto reverse = make(distribution::reverse);
  EXPECT_TRUE(std::is_sorted(reverse.begin(), reverse.end(), std::greater<>{}));
  EXPECT_EQ(distinct(make(distribution::all_equal)), 1u);
  EXPECT_EQ(distinct(make(distribution::two_alternating)), 2u);
  EXPECT_EQ(distinct(make(distribution::few_distinct)), 16u);
  EXPECT_LE(distinct(make(distribution::deterministic_duplicates)), 64u);
  EXPECT_LE(distinct(make(distribution::randomized_duplicates)), 32u);
  EXPECT_GT(distinct(make(distribution::uniform)), n - 5);
  const auto pipe = make(distribution::organ_pipe);
  EXPECT_TRUE(std::is_sorted(pipe.begin(), pipe.begin() + n / 2));
  EXPECT_TRUE(std::is_sorted(pipe.begin() + n / 2, pipe.end(), std::greater<>{}));
  const auto almost = make(distribution::almost_sorted);
  std::size_t out_of_place = 0;
  for (std::size_t i = 0; i < n; ++i) out_of_place += almost[i] != sorted[i];
  EXPECT_GT(out_of_place, n / 300);
  EXPECT_LT(out_of_place, n / 30);
  EXPECT_EQ(distinct(make(distribution::median_of_three_killer)), n);
}

TEST(generator, depends_on_the_seed_alone) {
  EXPECT_EQ(kit::checksum_of(kit::generate<int>(distribution::uniform, n, 1)),
            kit::checksum_of(kit::generate<int>(distribution::uniform, n, 1)));
  EXPECT_NE(kit::checksum_of(kit::generate<int>(distribution::uniform, n, 1)),
            kit::checksum_of(kit::generate<int>(distribution::uniform, n, 2)));
}

TEST(inconsistent_comparators, are_not_strict_weak_orders_and_the_honest_are) {
  const auto breaks = [](kit::opaque comp) {
    for (std::uint32_t a = 0; a < 64; ++a) {
      for (std::uint32_t b = 0; b < 64; ++b) {
        if (comp(a, b) && comp(b, a)) return true;
        for (std::uint32_t c = 0; c < 64; ++c) {
          if (comp(a, b) && comp(b, c) && !comp(a, c)) return true;
        }
      }
    }
    return false;
  };
  for (auto m : {kit::behavior::honest, kit::behavior::descending, kit::behavior::coarse,
                 kit::behavior::middle_digits, kit::behavior::exceptions}) {
    EXPECT_FALSE(breaks(kit::opaque(m))) << name_of(m);
  }
  for (auto m : kit::every_inconsistent_comparator) {
    EXPECT_EQ(breaks(kit::opaque(m, 1)), m != kit::behavior::always_false) << name_of(m);
  }
}

TEST(inspector, counts_what_was_never_in_the_range) {
  unsigned long long foreign = 0;
  const kit::opaque comp(kit::behavior::inspecting, 5, &foreign);
  auto values = kit::generate<kit::record<64>>(distribution::uniform, n, 5);
  std::sort(values.begin(), values.end(), comp);
  EXPECT_EQ(foreign, 0u);
  EXPECT_EQ(kit::first_disorder(values, kit::reference_less{}), n);
  kit::record<64> zero{};
  comp(zero, values[0]);
  EXPECT_EQ(foreign, 1u);
  values[0].data[63] ^= 1;
  comp(values[0], values[1]);
  EXPECT_EQ(foreign, 2u);
}

TEST(inconsistent_comparators, two_of_them_change_their_minds) {
  unsigned long long counter = 0;
  for (auto comp :
       {kit::opaque(kit::behavior::clock), kit::opaque(kit::behavior::counter, 1, &counter)}) {
    std::set<bool> answers;
    for (int i = 0; i < 100; ++i) answers.insert(comp(1, 2));
    EXPECT_EQ(answers.size(), 2u);
  }
  EXPECT_EQ(counter, 100u);
}

}  // namespace

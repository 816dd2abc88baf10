// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers whose buckets are found by a multiplication and sorted by proxmap: spread evenly, almost
// evenly, and so that a sample, or most numbers of a bucket, mislead.
#include <cstdint>
#include <gpusort/gpusort.hpp>
#include <limits>

#include "../kit/counting_allocator.hpp"
#include "../kit/expect_sorted.hpp"
#include "../kit/places.hpp"
#include "../kit/subject.hpp"

namespace kit {
namespace {

using gpusort::greater;
using gpusort::less;

class number_buckets : public gpu_test {};

/// Expects a sort to another range, where there is no scratch for what is tried first.
template <class T, class Order>
void expect_copied_with_less_scratch(const column<T>& input, Order order) {
  counting_allocator allocator;
  allocator.fail(0, 1);
  const buffer<T> source(input, 1), copy(input.size(), 1);
  gpusort::sort_copy(gpusort::par_gpu(allocator), source.begin(), source.end(), copy.begin(),
                     order);
  findings f = examine(input, copy.read(), reference<Order>::of(order), promise::order);
  f.zones_intact = copy.intact() && source.intact() && allocator.clean();
  EXPECT_TRUE(f.ok()) << "to another range, with less scratch, n = " << input.size() << ": " << f;
}

/// Sorts numbers where there is no scratch for what is tried first, so that nobody stores the
/// buckets that elements are in.
template <class T, class Order>
void expect_sorted_with_less_scratch(const column<T>& input, Order order) {
  const buffer<T> range(input, 1);
  counting_allocator allocator;
  call how;
  how.allocator = &allocator;
  allocator.fail(0, 1);
  subject<T, Order>::run(how, range.begin(), range.end(), order);
  EXPECT_EQ(allocator.calls(), 2u);
  EXPECT_LT(allocator.peak_bytes(), input.size() * sizeof(T) * 5 / 4);
  EXPECT_TRUE(allocator.clean());
  findings f = examine(input, range.read(), reference<Order>::of(order), promise::order);
  f.zones_intact = range.intact();
  EXPECT_TRUE(f.ok()) << "with less scratch, n = " << input.size() << ": " << f;
  // Compiled here: an unsigned type one way, and floats the other.
  constexpr bool ascends = std::is_same_v<Order, less>;
  if constexpr (ascends ? std::is_same_v<T, std::uint32_t> : std::is_same_v<T, float>) {
    expect_copied_with_less_scratch(input, order);
  }
}

template <class T, class Order>
void sort_input(const column<T>& input) {
  expect_sorts<subject<T, Order>>(input);
  if constexpr (sizeof(T) == 4) {
    const bool is_enough = device_is_cpu && std::is_same_v<Order, greater>;
    if (!is_enough) expect_sorted_with_less_scratch(input, Order{});
  }
}

/// Sorts make(random number, place) in these orders.
template <class T, class... Orders, class Make>
void sort_numbers(Make make) {
  for (std::size_t n : {beyond_one_launch, std::size_t{300007}, std::size_t{2000003}}) {
    if (n > (device_is_cpu ? beyond_one_launch : small_sizes_only() ? 300007 : n)) continue;
    const auto input = make_all(
        n, [&](std::size_t i, std::size_t) { return static_cast<T>(make(random_at(21, i), i)); });
    (sort_input<T, Orders>(input), ...);
  }
}

template <class T, class Order>
void sort_integers() {
  using bits = std::uint64_t;
  const auto sort = [](auto make) { sort_numbers<T, Order>(make); };
  sort([](bits r, std::size_t) { return r; });
  sort([](bits r, std::size_t) { return (bits{1} << 62) + r % 1000000; });
  // Some beyond what a sample meets.
  sort([](bits r, std::size_t i) {
    return i % 100003 == 7 ? bits{0} : i % 100003 == 8 ? ~bits{0} : (bits{3} << 61) + (r >> 24);
  });
  // The bits that slots are found by do not tell neighbours apart.
  sort([](bits r, std::size_t) { return r >> 52 << 52 | (r & 0xffff); });
  sort([](bits r, std::size_t) { return r >> 40 << 40 | (r & 3); });
  // Two heaps, one of them narrow; and one value among many.
  sort([](bits r, std::size_t) { return r % 8 ? r : (bits{5} << 60) + (r >> 44); });
  sort([](bits r, std::size_t) { return r % 50 ? r : bits{12345} << 40; });
}

// So many that there are two levels.
TEST_F(number_buckets, of_many_with_less_scratch) {
  if (small_sizes_only()) GTEST_SKIP() << "GPUSORT_TEST_SMALL";
  using value_at = std::uint32_t (*)(std::uint64_t, std::size_t);
  for (value_at make : {value_at([](std::uint64_t r, std::size_t) -> std::uint32_t { return r; }),
                        value_at([](std::uint64_t r, std::size_t) -> std::uint32_t {
                          return r % 300 * 0x01234567;
                        }),
                        value_at([](std::uint64_t r, std::size_t) -> std::uint32_t {
                          return (r & 0xffffffff) >> (r >> 32) % 32;
                        }),
                        value_at([](std::uint64_t r, std::size_t i) -> std::uint32_t {
                          return i % 1000 == 7 ? r : 12345;
                        })}) {
    const auto input = make_all((std::size_t{1} << 23) + 1, [&](std::size_t i, std::size_t) {
      return make(random_at(25, i), i);
    });
    expect_sorted_with_less_scratch(input, less{});
  }
}

TEST_F(number_buckets, of_integers) { sort_integers<std::uint64_t, less>(); }

TEST_F(number_buckets, of_signed_integers) {
  if (device_is_cpu) GTEST_SKIP() << "as those without a sign, and long";
  sort_integers<std::int64_t, greater>();
}

TEST_F(number_buckets, of_short_integers) {
  const auto sort = [](auto make) {
    sort_numbers<std::uint32_t, less, greater>(make);
    sort_numbers<std::int32_t, less>(make);
  };
  using bits = std::uint64_t;
  sort([](bits r, std::size_t) { return r; });
  sort([](bits r, std::size_t) { return (bits{1} << 30) + r % 1000000; });
  sort([](bits r, std::size_t) { return r % 300 * 0x01234567; });
  sort([](bits r, std::size_t i) {
    return i % 100003 == 7 ? bits{0} : i % 100003 == 8 ? ~bits{0} : (bits{3} << 29) + (r >> 50);
  });
  sort([](bits r, std::size_t) { return r % 8 ? r : (bits{5} << 28) + (r >> 60); });
  sort([](bits r, std::size_t) { return (r & 0xffffffff) >> (r >> 32) % 32; });
}

// So many that blocks sort several buckets each, of which proxmap sort leaves many to comparisons.
TEST_F(number_buckets, of_many_in_clusters) {
  if (small_sizes_only()) GTEST_SKIP() << "GPUSORT_TEST_SMALL";
  const auto input = make_all(60000007, [](std::size_t i, std::size_t) {
    const std::uint64_t r = random_at(24, i);
    return static_cast<std::uint32_t>((r & 0xffff0000) | (r >> 32 & 63));
  });
  expect_sorts<subject<std::uint32_t, less>>(input);
}

TEST_F(number_buckets, of_floats) {
  const auto unit = [](std::uint64_t r) { return static_cast<float>(r >> 40) * 0x1p-24f; };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  sort_numbers<float, less, greater>([&](std::uint64_t r, std::size_t) { return unit(r); });
  sort_numbers<float, less, greater>([&](std::uint64_t r, std::size_t) {
    return from_bits<float>(static_cast<std::uint32_t>(r));
  });
  sort_numbers<float, less, greater>([&](std::uint64_t r, std::size_t i) {
    const float rare[] = {nan, -nan, infinity, -infinity, 0.0f, -0.0f, 3e38f, -3e38f};
    return i % 9973 == 5 ? rare[r % 8] : unit(r) - 0.5f;
  });
}

// Only the upper halves are spread: buckets and first bits leave pairs, or everything, to compare.
TEST_F(number_buckets, of_128_bits) {
  const auto wide = [](std::uint64_t upper, std::size_t i) {
    return uint128{upper} << 64 | random_at(23, i);
  };
  sort_numbers<uint128, greater>(wide);
  sort_numbers<int128, less>(wide);
  sort_numbers<uint128, greater>(
      [&](std::uint64_t r, std::size_t i) { return wide(r >> 44 << 44, i); });
  sort_numbers<uint128, greater>([&](std::uint64_t r, std::size_t i) { return wide(r % 1000, i); });
  sort_numbers<int128, less>([&](std::uint64_t, std::size_t i) { return wide(0, i); });
  sort_numbers<uint128, greater>(
      [&](std::uint64_t r, std::size_t i) { return wide(r % 8 ? r : 5, i); });
}

TEST_F(number_buckets, of_doubles) {
  const auto unit = [](std::uint64_t r) { return static_cast<double>(r >> 11) * 0x1p-53; };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  sort_numbers<double, less, greater>([&](std::uint64_t r, std::size_t) { return unit(r); });
  // Spread evenly as bits; and some of them so, others as values.
  const auto of_bits = [](std::uint64_t r) { return from_bits<double>(r); };
  sort_numbers<double, less, greater>([&](std::uint64_t r, std::size_t) { return of_bits(r); });
  sort_numbers<double, less, greater>(
      [&](std::uint64_t r, std::size_t i) { return i % 2 ? unit(r) : of_bits(r); });
  sort_numbers<double, less, greater>(
      [&](std::uint64_t r, std::size_t) { return 2e300 * (unit(r) - 0.5); });
  sort_numbers<double, less, greater>(
      [&](std::uint64_t r, std::size_t) { return 1e-310 * unit(r); });
  sort_numbers<double, less, greater>([&](std::uint64_t r, std::size_t) { return 1e10 + unit(r); });
  sort_numbers<double, less, greater>([&](std::uint64_t r, std::size_t i) {
    const double rare[] = {nan, -nan, infinity, -infinity, 0.0, -0.0, 1.7e308, -1.7e308};
    return i % 9973 == 5 ? rare[r % 8] : unit(r) - 0.5;
  });
  sort_numbers<double, less, greater>([&](std::uint64_t r, std::size_t i) {
    return i % 7 == 0 ? nan : i % 7 == 1 ? -infinity : unit(r);
  });
}

// Values stay with their keys, in buckets of pairs as well. make(i) is key i.
template <class T, class Order, class Make>
void sort_pairs(Make make) {
  const std::size_t n = device_is_cpu ? beyond_one_launch : small_sizes_only() ? 300007 : 2000003;
  const auto input = make_all(n, [&](std::size_t i, std::size_t) { return make(i); });
  const buffer<T> keys(input, 1), values(places_of<T>(n), 3);
  gpusort::sort_by_key(gpusort::par_gpu, keys.begin(), keys.end(), values.begin(), Order{});
  EXPECT_TRUE(moved_with_places(input, keys.read(), values.read(), reference<Order>::of(Order{}),
                                promise::order));
  EXPECT_TRUE(keys.intact() && values.intact());
}

TEST_F(number_buckets, with_values) {
  sort_pairs<std::uint64_t, less>(
      [](std::size_t i) { return random_at(22, i) >> 30 << 30 | i % 4; });
  sort_pairs<std::uint32_t, greater>([](std::size_t i) {
    return static_cast<std::uint32_t>(random_at(22, i) >> 48 << 16 | i % 4);
  });
}

}  // namespace
}  // namespace kit

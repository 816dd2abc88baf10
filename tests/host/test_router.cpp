// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the router picks, and why: the table that its rules are read from.
#include <gtest/gtest.h>

#include <gpusort/detail/router/router.hpp>
#include <string>

namespace {

using gpusort::route;
using namespace gpusort::detail::router;

constexpr problem keys(std::size_t bytes, order_kind order) {
  return {bytes, 0, 0, bytes < 16 ? bytes : 16, order, false, false, false, false, route::nothing};
}
constexpr problem with_values(problem p, int ranges, std::size_t bytes_each) {
  p.value_ranges = ranges;
  p.value_bytes = ranges * bytes_each;
  return p;
}
constexpr problem stable(problem p) {
  p.stable = true;
  return p;
}
constexpr problem in_place(problem p) {
  p.in_place = true;
  return p;
}
constexpr problem forced(problem p, route r) {
  p.forced = r;
  return p;
}
constexpr problem places(problem p) {
  p.stable = p.only_places = true;
  return p;
}

constexpr auto seen = order_kind::arithmetic;
constexpr auto packed = order_kind::encoded;
constexpr auto opaque = order_kind::opaque;
constexpr std::uint64_t million = 1000000;

/// A cluster sorts 8192 elements, one launch 200000.
constexpr abilities some_device{{8192, 200000}};

struct row {
  const char* what;
  problem p;
  std::uint64_t n;
  route expected;
};

constexpr row table[] = {
    {"nothing to do", keys(4, seen), 1, route::nothing},
    {"one block, seen through", keys(4, seen), 1024, route::small_sort},
    {"one block, opaque", keys(4, opaque), 1024, route::small_sort},
    {"larger keys: several blocks sooner", keys(8, opaque), 1024, route::cluster_sample_sort},
    {"only one block can", forced(keys(4, opaque), route::small_sort), 8192, route::small_sort},
    {"few launches beat few passes", keys(4, seen), 20000, route::single_launch_sample_sort},
    {"many keys, seen through", keys(4, seen), 100 * million, route::sample_sort},
    {"many short keys", keys(2, seen), 300000, route::counting_sort},
    {"few short keys", keys(2, seen), 4097, route::counting_sort},
    {"short keys that others depend on", with_values(keys(2, seen), 1, 4), million,
     route::radix_sort},
    {"short floats, stable", stable(keys(2, seen)), million, route::radix_sort},
    {"short keys, forced", forced(keys(2, seen), route::sample_sort), million, route::sample_sort},
    {"short keys in one block", keys(2, seen), 4096, route::small_sort},
    {"bytes", keys(1, seen), 100, route::counting_sort},
    {"many bytes", keys(1, seen), 100 * million, route::counting_sort},
    {"bytes that others depend on", with_values(keys(1, seen), 1, 4), million, route::radix_sort},
    {"bytes in an unknown order", keys(1, opaque), million, route::sample_sort},
    {"bytes, forced", forced(keys(1, seen), route::radix_sort), million, route::radix_sort},
    {"wide keys: a pass for each byte", keys(8, seen), 100 * million, route::sample_sort},
    {"wide keys, stable", stable(with_values(keys(8, seen), 1, 8)), million, route::radix_sort},
    {"many keys, opaque", keys(4, opaque), 100 * million, route::sample_sort},
    {"beyond 2^32", keys(1, opaque), std::uint64_t{5} << 32, route::sample_sort},
    {"stable, opaque", stable(keys(4, opaque)), million, route::merge_sort},
    {"stable, seen through", stable(keys(4, seen)), 20000, route::radix_sort},
    {"records by packed fields", keys(64, packed), million, route::radix_sort},
    {"few records by packed fields", keys(64, packed), 1000, route::cluster_sample_sort},
    {"few records by packed fields, radix", forced(keys(64, packed), route::radix_sort), 1000,
     route::radix_sort},
    {"large records, opaque: places", keys(100, opaque), million, route::sample_sort},
    {"large records, stable: places break ties", stable(keys(100, opaque)), million,
     route::sample_sort},
    {"values beside keys", with_values(keys(4, seen), 1, 4), million, route::sample_sort},
    {"short values beside keys", with_values(keys(4, seen), 1, 2), million, route::radix_sort},
    {"many of them", with_values(keys(4, seen), 1, 4), 201 * million, route::sample_sort},
    {"more of them", with_values(keys(4, seen), 1, 4), 202 * million, route::radix_sort},
    {"wider values beside keys", with_values(keys(4, seen), 1, 8), 4 * million, route::sample_sort},
    {"many of these", with_values(keys(4, seen), 1, 8), 5 * million, route::radix_sort},
    {"several values beside keys", with_values(keys(4, seen), 3, 4), million, route::radix_sort},
    {"several values, stable", stable(with_values(keys(4, opaque), 3, 4)), million,
     route::sample_sort},
    {"in place", in_place(keys(4, seen)), million, route::bitonic_sort},
    {"forced", forced(keys(4, seen), route::sample_sort), million, route::sample_sort},
    {"quicksort where it is asked for", forced(keys(4, seen), route::quicksort), million,
     route::quicksort},
    {"quicksort, stable", forced(stable(keys(4, opaque)), route::quicksort), million,
     route::quicksort},
    {"quicksort of bytes", forced(keys(1, seen), route::quicksort), 100, route::quicksort},
    {"quicksort of packed fields", forced(keys(64, packed), route::quicksort), million,
     route::quicksort},
    {"forced, also when small", forced(keys(4, opaque), route::merge_sort), 100, route::merge_sort},
    {"only places, seen through", places(keys(4, seen)), million, route::radix_sort},
    {"only places, opaque", places(keys(4, opaque)), million, route::sample_sort},
};

TEST(router, tries_words_where_elements_are_large_and_many) {
  using gpusort::detail::router::infers_key;
  const std::uint64_t many = 1 << 24;
  EXPECT_TRUE(infers_key(keys(32, opaque), many));
  EXPECT_FALSE(infers_key(keys(32, opaque), many - 1));
  EXPECT_TRUE(infers_key(keys(64, opaque), many / 4));
  EXPECT_FALSE(infers_key(keys(64, opaque), many / 4 - 1));
  EXPECT_TRUE(infers_key(keys(128, opaque), many / 16));
  EXPECT_FALSE(infers_key(keys(128, opaque), many / 16 - 1));
  EXPECT_FALSE(infers_key(keys(64, opaque), std::uint64_t{1} << 32));
  for (const problem& p :
       {keys(8, opaque), keys(24, opaque), keys(64, packed), stable(keys(64, opaque)),
        in_place(keys(64, opaque)), forced(keys(64, opaque), route::sample_sort),
        with_values(keys(64, opaque), 1, 4), places(keys(64, opaque))}) {
    EXPECT_FALSE(infers_key(p, many)) << p.key_bytes;
  }
}

TEST(router, picks_as_the_table_says) {
  for (const row& r : table) {
    const decision d = choose(r.p, r.n, some_device);
    EXPECT_EQ(d.algorithm, r.expected)
        << r.what << ": " << gpusort::name_of(d.algorithm) << ", " << d.reason;
    EXPECT_FALSE(std::string(d.reason).empty()) << r.what;
  }
}

TEST(router, compiles_what_it_picks) {
  for (const row& r : table) {
    const route picked = choose(r.p, r.n, some_device).algorithm;
    EXPECT_TRUE(picked == route::nothing || may_take(r.p, picked)) << r.what;
  }
}

TEST(router, heeds_what_a_device_cannot) {
  abilities device;
  device.can_count = false;
  EXPECT_EQ(choose(keys(2, seen), 300000, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(keys(2, seen), 4097, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(keys(2, seen), 4096, device).algorithm, route::small_sort);
  device.few = {0, 10000};  // it has no clusters
  const problem pairs = with_values(keys(4, seen), 1, 2);
  EXPECT_EQ(choose(pairs, 10000, device).algorithm, route::single_launch_sample_sort);
  EXPECT_EQ(choose(pairs, 10001, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(keys(64, packed), 10001, device).algorithm, route::radix_sort);
  for (const problem& p : {keys(4, seen), keys(4, opaque)}) {
    EXPECT_EQ(choose(p, 10001, device).algorithm, route::sample_sort);
  }
  device.few = {0, 0};  // part of one, on which no launch may cooperate
  EXPECT_EQ(choose(pairs, 5000, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(keys(8, opaque), 5000, device).algorithm, route::sample_sort);
}

TEST(router, names_the_launches_of_sample_sort) {
  const problem p = keys(8, opaque);
  for (const problem& each : {p, forced(p, route::sample_sort)}) {
    EXPECT_EQ(choose(each, 8192, some_device).algorithm, route::cluster_sample_sort);
    EXPECT_EQ(choose(each, 8193, some_device).algorithm, route::single_launch_sample_sort);
    EXPECT_EQ(choose(each, 200000, some_device).algorithm, route::single_launch_sample_sort);
    EXPECT_EQ(choose(each, 200001, some_device).algorithm, route::sample_sort);
  }
}

TEST(router, carries_indices_as_far_as_the_device_can) {
  abilities device;
  device.few_with_indices = {8192, 50000};
  const auto at = [&](std::uint64_t n) { return choose(stable(keys(4, opaque)), n, device); };
  EXPECT_EQ(at(1024).algorithm, route::small_sort);
  EXPECT_FALSE(at(1024).with_indices);
  EXPECT_EQ(at(1025).algorithm, route::cluster_sample_sort);
  EXPECT_EQ(at(50000).algorithm, route::single_launch_sample_sort);
  EXPECT_TRUE(at(1025).with_indices && at(50000).with_indices);
  EXPECT_EQ(at(50001).algorithm, route::merge_sort);
  EXPECT_FALSE(at(50001).with_indices);
}

/// What is tried one after the other where all allocations fail.
std::string attempts(const problem& p, std::uint64_t n, const abilities& device = some_device) {
  std::string all;
  for (decision d = choose(p, n, device); d.algorithm != route::nothing;
       d = without_scratch(p, n, device, d)) {
    all += std::string(all.empty() ? "" : ", ") + gpusort::name_of(d.algorithm) +
           (d.with_indices ? " with indices" : "") + (d.infers_key ? " of an inferred key" : "");
  }
  return all;
}

TEST(router, descends_to_routes_with_less_scratch) {
  EXPECT_EQ(attempts(keys(4, seen), million), "sample_sort, lean_sample_sort, bitonic_sort");
  EXPECT_EQ(attempts(keys(8, seen), million), "sample_sort, bitonic_sort");
  EXPECT_EQ(attempts(keys(4, seen), 20000), "single_launch_sample_sort, bitonic_sort");
  EXPECT_EQ(attempts(with_values(keys(4, seen), 1, 4), million),
            "sample_sort, radix_sort, bitonic_sort");
  EXPECT_EQ(attempts(stable(keys(4, seen)), million), "radix_sort");
  EXPECT_EQ(attempts(stable(keys(4, opaque)), million), "merge_sort");
  EXPECT_EQ(attempts(keys(64, opaque), 8 * million),
            "sample_sort of an inferred key, sample_sort, bitonic_sort");
  EXPECT_EQ(attempts(forced(keys(4, seen), route::sample_sort), million),
            "sample_sort, bitonic_sort");
  abilities device = some_device;
  device.few_with_indices = {8192, 50000};
  EXPECT_EQ(attempts(stable(keys(4, opaque)), 5000, device),
            "cluster_sample_sort with indices, small_sort");
}

/// Whatever is chosen, and whatever follows it, is compiled; and the end is reached.
TEST(router, descends_along_routes_that_are_compiled) {
  for (const row& r : table) {
    decision d = choose(r.p, r.n, some_device);
    for (int attempt = 0; d.algorithm != route::nothing; ++attempt) {
      EXPECT_TRUE(may_take(r.p, d.algorithm)) << r.what << ": " << gpusort::name_of(d.algorithm);
      ASSERT_LT(attempt, 5) << r.what;
      d = without_scratch(r.p, r.n, some_device, d);
    }
  }
}

TEST(router, counts_passes) {
  using gpusort::detail::router::passes;
  EXPECT_EQ(passes(route::nothing, 1, 8), 0);
  EXPECT_EQ(passes(route::radix_sort, 1000, 8), 8);
  EXPECT_EQ(passes(route::sample_sort, 1000, 8), 2);
  EXPECT_EQ(passes(route::sample_sort, 1000000, 8), 3);
  EXPECT_EQ(passes(route::counting_sort, 1000, 8), 1);
  EXPECT_EQ(passes(route::merge_sort, 1000, 8), 1);
  EXPECT_EQ(passes(route::merge_sort, 100000, 8), 2);
  EXPECT_EQ(passes(route::merge_sort, std::uint64_t{1} << 28, 8), 4);
  EXPECT_EQ(passes(route::quicksort, 1000, 8), 1);
  EXPECT_EQ(passes(route::quicksort, std::uint64_t{1} << 20, 8), 8);
}

TEST(router, compiles_no_more_than_some_size_needs) {
  EXPECT_FALSE(may_take(keys(4, opaque), route::radix_sort));
  EXPECT_FALSE(may_take(keys(8, seen), route::radix_sort));
  EXPECT_FALSE(may_take(keys(1, seen), route::radix_sort));
  EXPECT_FALSE(may_take(keys(1, seen), route::sample_sort));
  EXPECT_FALSE(may_take(keys(2, seen), route::sample_sort));
  EXPECT_FALSE(may_take(stable(keys(2, seen)), route::counting_sort));
  EXPECT_FALSE(may_take(keys(4, opaque), route::merge_sort));
  EXPECT_FALSE(may_take(keys(4, opaque), route::quicksort));
  EXPECT_FALSE(may_take(forced(keys(4, opaque), route::quicksort), route::sample_sort));
  EXPECT_FALSE(may_take(keys(64, packed), route::small_sort));
  EXPECT_FALSE(may_take(forced(keys(64, packed), route::radix_sort), route::sample_sort));
  EXPECT_FALSE(may_take(stable(keys(4, opaque)), route::bitonic_sort));
  EXPECT_FALSE(may_take(in_place(keys(4, seen)), route::radix_sort));
}

TEST(router, moves_elements_up_to_its_limit) {
  EXPECT_EQ(layout_of(keys(64, opaque)), layout::elements);
  EXPECT_EQ(layout_of(keys(65, opaque)), layout::indices);
  EXPECT_EQ(layout_of(with_values(keys(4, seen), 1, 16)), layout::elements);
  EXPECT_EQ(layout_of(with_values(keys(4, seen), 1, 17)), layout::keys_with_indices);
  EXPECT_EQ(layout_of(with_values(keys(4, opaque), 2, 4)), layout::keys_with_indices);
  EXPECT_EQ(layout_of(with_values(keys(40, opaque), 2, 4)), layout::indices);
  EXPECT_EQ(layout_of(keys(8, packed)), layout::indices);
  EXPECT_EQ(layout_of(forced(keys(8, opaque), route::quicksort)), layout::elements);
  EXPECT_EQ(layout_of(forced(stable(keys(8, opaque)), route::quicksort)),
            layout::keys_with_indices);
}

TEST(router, takes_places_along_where_a_stable_sort_could_not_do_without) {
  EXPECT_TRUE(may_carry_indices(stable(keys(4, opaque))));
  EXPECT_TRUE(may_carry_indices(stable(with_values(keys(4, seen), 1, 4))));
  EXPECT_FALSE(may_carry_indices(keys(4, opaque)));
  EXPECT_FALSE(may_carry_indices(stable(keys(32, opaque))));
  EXPECT_FALSE(may_carry_indices(stable(keys(100, opaque))));
  EXPECT_FALSE(may_carry_indices(forced(stable(keys(4, opaque)), route::merge_sort)));
  EXPECT_FALSE(may_carry_indices(places(keys(4, opaque))));
  EXPECT_EQ(layout_of(with_indices(stable(keys(4, opaque)))), layout::keys_with_indices);
}

// The choice is made at compile time where the size is known then.
static_assert(choose(keys(8, seen), 100).algorithm == route::small_sort);

}  // namespace

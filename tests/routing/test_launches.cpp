// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How routes are launched: a column of the router's table, what surrounds it, and how plans print
// it.
#include <gtest/gtest.h>

#include <gpusort/detail/router/launches.hpp>
#include <set>
#include <sstream>
#include <string>

namespace {

using gpusort::launch_plan;
using gpusort::launch_strategy;
using gpusort::route;
using namespace gpusort::detail::router;

constexpr problem opaque_elements(std::size_t bytes) {
  return {bytes, 0, 0, 4, order_kind::opaque, false, false, false, false, route::nothing};
}

constexpr problem encoded_elements(std::size_t bytes, int bits) {
  problem p = opaque_elements(bytes);
  p.order = order_kind::encoded;
  p.key_bits = bits;
  return p;
}

constexpr problem numbers_with(int ranges, std::size_t bytes_of_all) {
  return {4,     bytes_of_all, ranges,         4, order_kind::arithmetic, false, false,
          false, false,        route::nothing, 32};
}

/// A cluster sorts 8192 elements, one launch 200000; with indices too.
constexpr abilities some_device{{8192, 200000}, {8192, 200000}};

std::string launched(const problem& p, std::uint64_t n) {
  std::ostringstream out;
  out << launches_of(p, choose(p, n, some_device));
  return out.str();
}

TEST(launches, are_one_column_of_the_table) {
  const std::set<launch_strategy> in_one_launch = {launch_strategy::one_block,
                                                   launch_strategy::one_cluster,
                                                   launch_strategy::one_cooperative_launch};
  std::set<launch_strategy> found;
  for (const route_row& row : routes) {
    EXPECT_NE(row.launched_as, launch_strategy::none) << gpusort::name_of(row.algorithm);
    EXPECT_EQ(launched_as(row.algorithm), row.launched_as);
    EXPECT_STRNE(gpusort::name_of(row.launched_as), "unknown");
    EXPECT_EQ(is_for_few(row.algorithm), in_one_launch.count(row.launched_as) == 1)
        << gpusort::name_of(row.algorithm);
    found.insert(row.launched_as);
  }
  EXPECT_EQ(found.size(), std::size(routes) - 1);  // lean sample sort is launched as sample sort
  EXPECT_EQ(launched_as(route::nothing), launch_strategy::none);
}

TEST(launches, of_sample_sort_follow_the_number_of_elements) {
  const problem p = opaque_elements(8);
  EXPECT_EQ(launched(p, 1), "no launch");
  EXPECT_EQ(launched(p, 100), "one launch of one block");
  EXPECT_EQ(launched(p, 5000), "one launch of a cluster of blocks");
  EXPECT_EQ(launched(p, 100000), "one cooperative launch");
  EXPECT_EQ(launched(p, 1 << 24),
            "up to four launches for each level of buckets and up to two that sort these");
}

TEST(launches, surround_the_route_where_indices_are_sorted) {
  EXPECT_EQ(
      launched(encoded_elements(64, 32), 5000),
      "one launch of a cluster of blocks, after one that encodes keys, before those that move "
      "elements");
  EXPECT_EQ(launched(encoded_elements(64, 64), 1 << 26),
            "the launches of CUB's radix sort, or two that partition bools, after one that encodes "
            "keys, for "
            "each word of these, before those that move elements");
  EXPECT_EQ(launched(encoded_elements(64, 200), 5000),
            "one launch of a cluster of blocks, before those that move elements");
  EXPECT_EQ(launched(numbers_with(3, 12), 1 << 20),
            "the launches of CUB's radix sort, or two that partition bools, after one that numbers "
            "elements, "
            "before those that move values");
  EXPECT_EQ(launched(opaque_elements(128), 5000),
            "one launch of a cluster of blocks, before those that move elements");
  problem by_long_keys = opaque_elements(128);
  by_long_keys.key_bits = 800;
  EXPECT_EQ(launched(by_long_keys, 5000),
            "one launch of a cluster of blocks, after one that encodes keys, before those that "
            "move elements");
}

TEST(launches, infer_the_order_first) {
  const std::string text = launched(opaque_elements(64), 1 << 24);
  EXPECT_NE(text.find(", after those that infer the order"), std::string::npos) << text;
  EXPECT_EQ(text.find("before"), std::string::npos) << text;
  EXPECT_NE(launched(opaque_elements(128), 1 << 24).find(", before those that move elements"),
            std::string::npos);
}

// Few elements that are sorted stably carry indices: their values move afterwards.
TEST(launches, move_values_of_a_stable_sort_with_indices) {
  problem p = numbers_with(1, 4);
  p.stable = true;
  ASSERT_TRUE(choose(p, 5000, some_device).with_indices);
  EXPECT_EQ(launched(p, 5000), "one launch of a cluster of blocks, before those that move values");
  p.value_ranges = 0;
  p.value_bytes = 0;
  p.order = order_kind::opaque;
  ASSERT_TRUE(choose(p, 5000, some_device).with_indices);
  EXPECT_EQ(launched(p, 5000), "one launch of a cluster of blocks");
}

TEST(launches, are_those_of_the_network_in_place) {
  problem p = encoded_elements(64, 64);
  p.in_place = true;
  EXPECT_EQ(launched(p, 5000), "a launch for each step of a network, or for several steps");
}

TEST(launches, are_printed_with_where_their_code_comes_from) {
  gpusort::plan p{route::small_sort, "why", 1, 0};
  const auto printed = [&] {
    std::ostringstream out;
    out << p;
    return out.str();
  };
  EXPECT_EQ(printed(), "small_sort: why; passes 1, scratch 0 bytes");
  p.launches.sort = launch_strategy::one_block;
  EXPECT_EQ(printed(),
            "small_sort: why; passes 1, scratch 0 bytes; in one launch of one block; compiled in "
            "the program");
  p.compiled_in = gpusort::code_origin::library;
  p.is_for_older_device = true;
  p.launches.after = "those that move elements";
  p.estimate = {"elements, compared", 10, 1};
  EXPECT_EQ(printed(),
            "small_sort: why; passes 1, scratch 0 bytes; in one launch of one block, before those "
            "that move elements; compiled in gpusort's library, for an older device; elements, "
            "compared: about 10 us");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The router: what holds of every problem, on every device and for every size; choices that were
// measured; and the rules that dispatch asks for by themselves. docs/reference/routes.md has all
// that it picks.
#include <gtest/gtest.h>

#include <gpusort/detail/router/router.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace {

using gpusort::route;
using namespace gpusort::detail::router;

constexpr problem keys(std::size_t bytes, order_kind order) {
  return {bytes,
          0,
          0,
          bytes < 16 ? bytes : 16,
          order,
          false,
          false,
          false,
          false,
          route::nothing,
          order == order_kind::opaque ? 0 : static_cast<int>(bytes < 4 ? 8 * bytes : 32)};
}
/// Returns the problem of elements of `bytes` whose order can be read off a key of `bits`.
constexpr problem packed_keys(std::size_t bytes, int bits) {
  problem p = keys(bytes, order_kind::encoded);
  p.key_bits = bits;
  p.fixed_offsets = true;
  return p;
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
  p.stable = p.only_indices = true;
  return p;
}

constexpr auto seen = order_kind::arithmetic;
constexpr auto packed = order_kind::encoded;
constexpr auto opaque = order_kind::opaque;
constexpr std::uint64_t million = 1000000;

/// A cluster sorts 8192 elements, one launch 200000.
constexpr abilities some_device{{8192, 200000}};

// -- what holds of every problem ------------------------------------------------------------------

/// Routes that a policy can force; sample_sort stands for all of its ways to launch.
constexpr route every_forced_route[] = {route::small_sort,  route::counting_sort, route::radix_sort,
                                        route::sample_sort, route::quicksort,     route::merge_sort,
                                        route::bitonic_sort};

/// Returns sizes around each bound of the router, in order.
std::vector<std::uint64_t> sizes() {
  std::set<std::uint64_t> all = {0, 1, 2, 100};
  for (std::uint64_t bound :
       {std::uint64_t{512}, std::uint64_t{1024}, std::uint64_t{4096}, std::uint64_t{10000},
        min_radix_n, std::uint64_t{1} << 20, std::uint64_t{1} << 22, std::uint64_t{1} << 24,
        std::uint64_t{3} << 26, std::uint64_t{1} << 32}) {
    for (std::uint64_t n : {bound - 1, bound, bound + 1}) all.insert(n);
  }
  for (std::uint64_t n = 3; n < std::uint64_t{1} << 40; n += n / 5 + 1) all.insert(n);
  return {all.begin(), all.end()};
}

struct value_shape {
  int ranges;
  std::size_t bytes_each;
};

/// Returns every order, size of key and shape of values, stable and not, in place and not.
std::vector<problem> every_free_problem() {
  std::vector<problem> all;
  for (order_kind order : {seen, packed, opaque}) {
    for (std::size_t bytes : {1, 2, 3, 4, 8, 12, 16, 28, 32, 64, 65, 100, 128}) {
      const bool is_number = bytes <= 16 && (bytes & (bytes - 1)) == 0;
      if (order == seen && !is_number) continue;
      for (value_shape v : {value_shape{0, 0}, value_shape{1, 1}, value_shape{1, 2},
                            value_shape{1, 4}, value_shape{1, 8}, value_shape{1, 16},
                            value_shape{1, 17}, value_shape{1, 64}, value_shape{3, 4}}) {
        problem p = with_values(keys(bytes, order), v.ranges, v.bytes_each);
        for (int bits : order == packed ? std::vector<int>{32, 64, 200}
                                        : std::vector<int>{order == seen ? 8 * int(bytes) : 0}) {
          p.key_bits = bits;
          for (bool fixed : {false, true}) {
            if (fixed && order != packed) continue;
            p.fixed_offsets = fixed;
            all.insert(all.end(), {p, stable(p), in_place(p)});
            if (v.ranges == 0) all.push_back(places(p));
          }
        }
      }
    }
  }
  return all;
}

/// Returns those problems with each route that a policy may force on them.
std::vector<problem> every_forced_problem() {
  std::vector<problem> all;
  for (const problem& p : every_free_problem()) {
    for (route r : every_forced_route) {
      if (!p.in_place && may_take(forced(p, r), r)) all.push_back(forced(p, r));
    }
  }
  return all;
}

/// Returns a large device, one with few multiprocessors, a part where no launch may cooperate, and
/// for two bytes one that cannot count.
std::vector<abilities> devices_for(const problem& p) {
  const abilities large{{8192, 200000}, {8192, 60000}}, small{{0, 10000}, {0, 10000}};
  const abilities without_counters{{8192, 200000}, {0, 0}, false}, part{{0, 0}, {0, 0}};
  if (p.key_bytes == 1) return {large, small, part};
  return {large, small, part, without_counters};
}

struct described {
  const problem& p;
  friend std::ostream& operator<<(std::ostream& out, const described& d) {
    const char* orders[] = {"arithmetic", "encoded", "opaque"};
    return out << d.p.key_bytes << " bytes, " << orders[static_cast<int>(d.p.order)] << ", "
               << d.p.value_ranges << " ranges of values of together " << d.p.value_bytes
               << " bytes" << (d.p.stable ? ", stable" : "") << (d.p.in_place ? ", in place" : "")
               << (d.p.only_indices ? ", indices only" : "") << ", forced to "
               << gpusort::name_of(d.p.forced);
  }
};

/// Calls visit(problem, n, decision) for every problem, device and size.
template <class Visit>
void for_every_decision(const std::vector<problem>& problems, Visit visit) {
  for (const problem& p : problems) {
    for (const abilities& device : devices_for(p)) {
      for (std::uint64_t n : sizes()) {
        visit(p, n, choose(p, n, device));
        if (::testing::Test::HasFailure()) FAIL() << described{p} << ", n = " << n;
      }
    }
  }
}

TEST(router, takes_no_route_that_is_not_compiled) {
  for (const auto& problems : {every_free_problem(), every_forced_problem()}) {
    for_every_decision(problems, [](const problem& p, std::uint64_t n, const decision& d) {
      if (n < 2) {
        EXPECT_EQ(d.algorithm, route::nothing);
        return;
      }
      EXPECT_TRUE(may_take(d.with_indices ? with_indices(p) : p, d.algorithm) ||
                  (p.in_place && p.stable))
          << gpusort::name_of(d.algorithm);
      EXPECT_FALSE(std::string(d.reason).empty());
    });
  }
}

TEST(router, takes_what_is_forced_and_the_network_in_place) {
  for_every_decision(every_forced_problem(),
                     [](const problem& p, std::uint64_t n, const decision& d) {
                       EXPECT_EQ(family_of(d.algorithm), n < 2 ? route::nothing : p.forced);
                     });
  for_every_decision(every_free_problem(),
                     [](const problem& p, std::uint64_t n, const decision& d) {
                       EXPECT_EQ(d.algorithm == route::bitonic_sort, n >= 2 && p.in_place);
                     });
}

TEST(router, takes_quicksort_only_where_it_is_forced) {
  for_every_decision(every_free_problem(), [](const problem&, std::uint64_t, const decision& d) {
    EXPECT_NE(family_of(d.algorithm), route::quicksort);
  });
}

// A larger range never goes back to a route that a smaller one has left.
TEST(router, each_route_has_its_sizes_in_a_row) {
  for (const problem& p : every_free_problem()) {
    for (const abilities& device : devices_for(p)) {
      std::vector<route> in_order;
      for (std::uint64_t n : sizes()) {
        const route r = choose(p, n, device).algorithm;
        if (in_order.empty() || in_order.back() != r) in_order.push_back(r);
      }
      const std::set<route> different(in_order.begin(), in_order.end());
      EXPECT_EQ(different.size(), in_order.size()) << described{p};
    }
  }
}

TEST(router, compiles_no_more_than_some_size_needs) {
  for (const problem& p : every_free_problem()) {
    if (p.in_place) continue;
    std::set<route> taken;
    for (const abilities& device : devices_for(p)) {
      for (std::uint64_t n : sizes()) {
        const decision d = choose(p, n, device);
        if (!d.with_indices) taken.insert(d.algorithm);
      }
    }
    for (const route_row& row : routes) {
      // These are there for a sort whose scratch cannot be allocated.
      const bool is_needed =
          row.algorithm == route::bitonic_sort       ? !p.stable
          : row.algorithm == route::lean_sample_sort ? is_keys_only_arithmetic(p, 4)
          : row.algorithm == route::merge_sort && !p.stable
              ? layout_of(p) == layout::elements && may_take(p, route::sample_sort) &&
                    !may_take(p, route::radix_sort)
              : taken.count(row.algorithm) > 0;
      EXPECT_EQ(may_take(p, row.algorithm), is_needed)
          << described{p} << ": " << gpusort::name_of(row.algorithm);
    }
  }
}

TEST(router, reads_bits_only_where_the_order_has_them) {
  for_every_decision(every_free_problem(), [](const problem& p, std::uint64_t, const decision& d) {
    EXPECT_FALSE(d.algorithm == route::radix_sort && order_of(p) == order_kind::opaque);
    if (d.algorithm != route::counting_sort) return;
    EXPECT_EQ(order_of(p), order_kind::arithmetic);
    EXPECT_TRUE(p.key_bytes <= 2 && p.value_ranges == 0 && !p.stable);
  });
}

TEST(router, keeps_equivalent_elements_in_order_by_itself_or_by_places) {
  for (const auto& problems : {every_free_problem(), every_forced_problem()}) {
    for_every_decision(problems, [](const problem& p, std::uint64_t n, const decision& d) {
      if (!p.stable || p.in_place || n < 2) return;
      EXPECT_NE(d.algorithm, route::bitonic_sort);
      const bool is_stable_itself = d.algorithm == route::radix_sort ||
                                    d.algorithm == route::merge_sort ||
                                    d.algorithm == route::small_sort;
      const problem carried = d.with_indices ? with_indices(p) : p;
      EXPECT_TRUE(is_stable_itself || layout_of(carried) != layout::elements);
    });
  }
}

TEST(router, gives_one_block_no_more_than_it_holds) {
  for_every_decision(every_free_problem(),
                     [](const problem& p, std::uint64_t n, const decision& d) {
                       if (d.algorithm != route::small_sort) return;
                       EXPECT_LE(n, gpusort::detail::max_tile_items(tile_element_bytes(p)));
                     });
}

// -- what was measured ----------------------------------------------------------------------------

/// A choice of the router that was measured: times of both routes in one run on an H200, as next to
/// its constants. The rival is gpusort's own radix sort, or Thrust's.
struct measured {
  const char* what;
  problem p;
  std::uint64_t n;
  double taken_ms, rival_ms;
  route taken;
};

constexpr measured measurements[] = {
    {"u32", keys(4, seen), 1 << 28, 4.5, 6.2, route::sample_sort},
    {"u64", keys(8, seen), 1 << 28, 7.8, 17.9, route::sample_sort},
    {"u64 with u32", with_values(keys(8, seen), 1, 4), 1 << 28, 14.6, 23.4, route::sample_sort},
    {"u32, one launch", keys(4, seen), min_radix_n - 1, 0.044, 0.125, route::sample_sort},
    {"u32 with u32", with_values(keys(4, seen), 1, 4), std::uint64_t{3} << 26, 5.85, 6.47,
     route::sample_sort},
    {"u32 with u32, more", with_values(keys(4, seen), 1, 4), 1 << 28, 8.63, 9.13,
     route::radix_sort},
    {"u32 with u64", with_values(keys(4, seen), 1, 8), 1 << 22, 0.222, 0.264, route::sample_sort},
    {"u32 with u64, more", with_values(keys(4, seen), 1, 8), 1 << 26, 2.74, 3.06,
     route::radix_sort}};

TEST(router, takes_what_was_measured_to_be_faster) {
  for (const measured& m : measurements) {
    ASSERT_LT(m.taken_ms, m.rival_ms) << m.what;
    const decision d = choose(m.p, m.n, some_device);
    EXPECT_EQ(family_of(d.algorithm), m.taken)
        << m.what << ": " << gpusort::name_of(d.algorithm) << ", " << d.reason << ", where "
        << m.taken_ms << " and " << m.rival_ms << " ms were measured";
  }
}

// us with the key inferred and without: 64 bytes, 2^22 808 and 1346; 128 bytes, 2^20 408 and 1644;
// 32 bytes, 2^22 590 and 657, less than what a comparator without such a key loses; 20 bytes, 2^22
// 566 and 727. Numbers: u64
// 2^28 14.5 to 12.5 ms, but double 13.9 to 15.3.
TEST(router, infers_keys_where_elements_are_large_and_many) {
  using gpusort::detail::router::infers_key;
  const std::uint64_t many = 1 << 24;
  EXPECT_TRUE(infers_key(keys(32, opaque), many));
  EXPECT_FALSE(infers_key(keys(32, opaque), many - 1));
  EXPECT_TRUE(infers_key(keys(64, opaque), many / 4));
  EXPECT_FALSE(infers_key(keys(64, opaque), many / 4 - 1));
  EXPECT_TRUE(infers_key(keys(128, opaque), many / 16));
  EXPECT_FALSE(infers_key(keys(128, opaque), many / 16 - 1));
  EXPECT_TRUE(infers_key(keys(24, opaque), many / 4));
  EXPECT_FALSE(infers_key(keys(24, opaque), many / 4 - 1));
  EXPECT_FALSE(infers_key(keys(64, opaque), std::uint64_t{1} << 32));
  for (const problem& p :
       {keys(8, opaque), keys(20, opaque), packed_keys(64, 32), stable(keys(64, opaque)),
        in_place(keys(64, opaque)), forced(keys(64, opaque), route::sample_sort),
        with_values(keys(64, opaque), 1, 4), places(keys(64, opaque))}) {
    EXPECT_FALSE(infers_key(p, many)) << p.key_bytes;
  }
}

// -- rules of their own ---------------------------------------------------------------------------

TEST(router, heeds_what_a_device_cannot) {
  abilities device;
  device.can_count = false;
  EXPECT_EQ(choose(keys(2, seen), 300000, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(keys(2, seen), 4097, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(keys(2, seen), 4096, device).algorithm, route::small_sort);
  device.one_launch = {0, 10000};  // it has no clusters
  const problem pairs = with_values(keys(4, seen), 1, 2);
  EXPECT_EQ(choose(pairs, 10000, device).algorithm, route::single_launch_sample_sort);
  EXPECT_EQ(choose(pairs, 10001, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(packed_keys(64, 32), 10001, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(packed_keys(64, 64), 10001, device).algorithm, route::sample_sort);
  for (const problem& p : {keys(4, seen), keys(4, opaque)}) {
    EXPECT_EQ(choose(p, 10001, device).algorithm, route::sample_sort);
  }
  device.one_launch = {0, 0};  // part of one, on which no launch may cooperate
  EXPECT_EQ(choose(pairs, 5000, device).algorithm, route::radix_sort);
  EXPECT_EQ(choose(keys(8, opaque), 5000, device).algorithm, route::sample_sort);
}

TEST(router, fills_the_shared_memory_of_the_device) {
  const problem p = stable(keys(8, opaque));
  abilities device;
  for (auto [kilobytes, most] : {std::pair{64, 4096}, {99, 8192}, {227, 8192}}) {
    device.block_bytes = std::size_t{1024} * kilobytes;
    EXPECT_EQ(choose(p, most, device).algorithm, route::small_sort);
    EXPECT_EQ(choose(p, most + 1, device).algorithm, route::merge_sort);
  }
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

TEST(router, compares_few_records_elsewhere_in_one_block) {
  for (const problem& p : {keys(128, opaque), stable(keys(128, opaque))}) {
    EXPECT_EQ(choose(p, 128, some_device).algorithm, route::small_sort);
    EXPECT_EQ(choose(p, 129, some_device).algorithm, route::cluster_sample_sort);
  }
  abilities without_clusters;
  without_clusters.one_launch = {0, 0};
  EXPECT_EQ(choose(keys(128, opaque), 512, without_clusters).algorithm, route::small_sort);
  EXPECT_EQ(choose(keys(64, opaque), 512, some_device).algorithm, route::small_sort);
}

TEST(router, carries_indices_as_far_as_the_device_can) {
  abilities device;
  device.one_launch_with_indices = {8192, 50000};
  const auto at = [&](std::uint64_t n) { return choose(stable(keys(4, opaque)), n, device); };
  EXPECT_EQ(at(1024).algorithm, route::small_sort);
  EXPECT_FALSE(at(1024).with_indices);
  EXPECT_EQ(at(1025).algorithm, route::cluster_sample_sort);
  EXPECT_EQ(at(50000).algorithm, route::single_launch_sample_sort);
  EXPECT_TRUE(at(1025).with_indices && at(50000).with_indices);
  EXPECT_EQ(at(50001).algorithm, route::merge_sort);
  EXPECT_FALSE(at(50001).with_indices);
}

/// Returns what is tried one after the other where all allocations fail.
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
  EXPECT_EQ(attempts(keys(4, seen), million),
            "sample_sort, lean_sample_sort, merge_sort, bitonic_sort");
  EXPECT_EQ(attempts(keys(8, seen), million), "sample_sort, merge_sort, bitonic_sort");
  EXPECT_EQ(attempts(keys(4, seen), 20000), "single_launch_sample_sort, merge_sort, bitonic_sort");
  EXPECT_EQ(attempts(with_values(keys(4, seen), 1, 4), million),
            "sample_sort, radix_sort, bitonic_sort");
  EXPECT_EQ(attempts(stable(keys(4, seen)), million), "radix_sort");
  EXPECT_EQ(attempts(stable(keys(4, opaque)), million), "merge_sort");
  EXPECT_EQ(attempts(keys(64, opaque), 8 * million),
            "sample_sort of an inferred key, sample_sort, merge_sort, bitonic_sort");
  EXPECT_EQ(attempts(forced(keys(4, seen), route::sample_sort), million),
            "sample_sort, bitonic_sort");
  abilities device = some_device;
  device.one_launch_with_indices = {8192, 50000};
  EXPECT_EQ(attempts(stable(keys(4, opaque)), 5000, device),
            "cluster_sample_sort with indices, small_sort");
}

/// Whatever follows a choice is compiled, and the end is reached.
TEST(router, descends_along_routes_that_are_compiled) {
  for (const auto& problems : {every_free_problem(), every_forced_problem()}) {
    for (const problem& p : problems) {
      for (const abilities& device : devices_for(p)) {
        for (std::uint64_t n :
             {std::uint64_t{5000}, std::uint64_t{50000}, std::uint64_t{1} << 26}) {
          decision d = choose(p, n, device);
          for (int attempt = 0; d.algorithm != route::nothing; ++attempt) {
            EXPECT_TRUE(may_take(d.with_indices ? with_indices(p) : p, d.algorithm) ||
                        (p.in_place && p.stable))
                << described{p} << ": " << gpusort::name_of(d.algorithm);
            ASSERT_LT(attempt, 5) << described{p};
            d = without_scratch(p, n, device, d);
          }
        }
      }
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
  EXPECT_EQ(passes(route::quicksort, std::uint64_t{1} << 20, 8), 9);
}

TEST(router, moves_elements_up_to_its_limit) {
  EXPECT_EQ(layout_of(keys(64, opaque)), layout::elements);
  EXPECT_EQ(layout_of(keys(65, opaque)), layout::indices);
  EXPECT_EQ(layout_of(with_values(keys(4, seen), 1, 16)), layout::elements);
  EXPECT_EQ(layout_of(with_values(keys(4, seen), 1, 17)), layout::keys_with_indices);
  EXPECT_EQ(layout_of(with_values(keys(4, opaque), 2, 4)), layout::keys_with_indices);
  EXPECT_EQ(layout_of(with_values(keys(40, opaque), 2, 4)), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(16, 64)), layout::elements);
  EXPECT_EQ(layout_of(stable(packed_keys(16, 64))), layout::elements);
  EXPECT_EQ(layout_of(stable(packed_keys(16, 32))), layout::indices);
  EXPECT_EQ(layout_of(with_values(packed_keys(8, 64), 1, 4)), layout::elements);
  problem by_pointers = packed_keys(16, 64);
  by_pointers.fixed_offsets = false;  // as of order_by(&record::member)
  EXPECT_EQ(layout_of(by_pointers), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(17, 64)), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(20, 56)), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(20, 57)), layout::elements);
  problem of_bytes = packed_keys(20, 64);
  of_bytes.alignment = 1;
  EXPECT_EQ(layout_of(of_bytes), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(24, 64)), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(32, 65)), layout::elements);
  EXPECT_EQ(layout_of(packed_keys(33, 128)), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(32, 129)), layout::indices);
  EXPECT_EQ(layout_of(packed_keys(64, 129)), layout::indices);
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

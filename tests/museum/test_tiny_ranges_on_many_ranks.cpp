// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fewer elements than ranks, and ranks without any: every call on 0 to 40 elements of 1 to 64
// ranks. nv-legate/cupynumeric#1198: a sort of a small array ended in a segmentation fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/distributed/in_process.hpp>
#include <utility>
#include <vector>

#include "../kit/random.hpp"

namespace {

using gpusort::par_gpu;
namespace distributed = gpusort::distributed;

using key = std::int32_t;
using part = std::vector<key>;
using range = distributed::rank_range<part::iterator>;

/// Returns few elements, over some of p ranks: all on one, on every third, or anywhere.
std::vector<part> spread(std::size_t n, std::size_t p, std::size_t how) {
  std::vector<part> parts(p);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = kit::random_at(kit::seed() + n, i);
    const std::size_t rank = how == 0 ? p / 2 : how == 1 ? i % p / 3 * 3 : r % p;
    parts[rank].push_back(static_cast<key>(r >> 32) % 10);
  }
  return parts;
}

std::vector<range> ranges_of(std::vector<part>& parts) {
  std::vector<range> ranges;
  for (part& own : parts) ranges.emplace_back(own.begin(), own.end());
  return ranges;
}

part joined(const std::vector<part>& parts) {
  part all;
  for (const part& own : parts) all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// Calls all calls on what p ranks have.
void call_all(const std::vector<part>& in, const part& sorted) {
  const std::size_t p = in.size(), n = sorted.size();
  distributed::in_process world(p);

  auto parts = in;
  distributed::sort(world, par_gpu, ranges_of(parts));
  EXPECT_EQ(joined(parts), sorted);
  EXPECT_TRUE(distributed::is_sorted(world, par_gpu, ranges_of(parts)));
  for (std::size_t r = 0; r < p; ++r) ASSERT_EQ(parts[r].size(), in[r].size());

  parts = in;
  std::vector<part> places(p);
  std::vector<part::iterator> values;
  key place = 0;
  for (std::size_t r = 0; r < p; ++r) {
    for (std::size_t i = 0; i < in[r].size(); ++i) places[r].push_back(place++);
    values.push_back(places[r].begin());
  }
  const part before = joined(in);
  distributed::stable_sort_by_key(world, par_gpu, ranges_of(parts), values);
  EXPECT_EQ(joined(parts), sorted);
  const part moved = joined(places);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(before[static_cast<std::size_t>(moved[i])], sorted[i]);
    if (i > 0 && sorted[i - 1] == sorted[i]) {
      EXPECT_LT(moved[i - 1], moved[i]);
    }
  }

  parts = in;
  const auto offsets = distributed::sort_balanced(world, par_gpu, parts);
  EXPECT_EQ(joined(parts), sorted);
  for (std::size_t r = 0; r < p; ++r) {
    ASSERT_EQ(parts[r].size(), n / p + (r < n % p ? 1 : 0));
    ASSERT_EQ(offsets[r], r * (n / p) + std::min(r, n % p));
  }

  parts = in;
  std::vector<std::uint64_t> ranks;
  for (std::size_t i = n; i-- > 0;) ranks.push_back(i);
  const part chosen = distributed::select(world, par_gpu, ranges_of(parts), ranks);
  EXPECT_TRUE(std::equal(chosen.rbegin(), chosen.rend(), sorted.begin(), sorted.end()));

  parts = in;
  EXPECT_EQ(distributed::sample(world, par_gpu, ranges_of(parts), 40), before);

  const auto cuts = distributed::select_splitters(world, par_gpu, ranges_of(parts));
  for (std::size_t r = 0; r < p; ++r) {
    ASSERT_EQ(cuts[r].send[p], in[r].size());
    ASSERT_EQ(cuts[r].receive[p], in[r].size());
    for (std::size_t to = 0; to < p; ++to) {
      ASSERT_EQ(cuts[r].send[to + 1] - cuts[r].send[to],
                cuts[to].receive[r + 1] - cuts[to].receive[r]);
    }
  }
}

TEST(tiny_ranges_on_many_ranks, are_sorted_and_told_apart) {
  for (const std::size_t p : {1, 2, 3, 7, 16, 64}) {
    for (const std::size_t n : {0, 1, 2, 3, 5, 9, 17, 40}) {
      for (const std::size_t how : {0, 1, 2}) {
        SCOPED_TRACE(::testing::Message() << n << " elements, " << p << " ranks, spread " << how);
        const auto in = spread(n, p, how);
        part sorted = joined(in);
        std::sort(sorted.begin(), sorted.end());
        call_all(in, sorted);
      }
    }
  }
}

}  // namespace

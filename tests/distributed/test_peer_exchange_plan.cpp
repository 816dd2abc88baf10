// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/peer_exchange_plan.hpp>
#include <map>
#include <numeric>
#include <vector>

#include "../kit/random.hpp"

namespace {

using gpusort::detail::peer_exchange_plan;
using gpusort::detail::peer_regions;
using size = peer_exchange_plan::size;

struct counted {
  std::vector<std::uint64_t> sizes;
  std::vector<size> counts;
  std::vector<std::uint8_t> equal;
};

/// Draws shards of some sizes, one of them perhaps empty, whose elements are in buckets of all
/// sizes.
counted draw(std::size_t shards, std::size_t buckets, std::uint64_t most, std::uint64_t seed) {
  counted c;
  c.counts.resize(shards * buckets);
  for (std::size_t b = 0; b < buckets; ++b) c.equal.push_back(kit::random_at(seed, b) % 3 == 0);
  for (std::size_t i = 0; i < shards; ++i) {
    std::uint64_t n = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      const std::uint64_t r = kit::random_at(seed ^ i, 1000 + b);
      const std::uint64_t count = r % 4 == 0 ? 0 : (r >> 8) % (r % 5 == 0 ? 20 * most : most);
      c.counts[i * buckets + b] = kit::random_at(seed, 2000 + i) % 5 == 0 ? 0 : count;
      n += c.counts[i * buckets + b];
    }
    c.sizes.push_back(n);
  }
  return c;
}

std::uint64_t sum(const std::vector<size>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

/// Expects each shard's ranks to be those of its whole buckets, and of pieces, and nothing else's.
void expect_every_rank_once(const counted& c, const peer_exchange_plan& plan) {
  for (std::size_t j = 0; j < c.sizes.size(); ++j) {
    const auto& share = plan.of(j);
    for (const auto& list : share.whole) EXPECT_EQ(sum(list.counts), list.elements);
    EXPECT_EQ(sum(share.cut.counts), share.cut.elements);
    std::uint64_t gathered = 0;
    for (const auto& source : share.cut.sources) gathered += source.count;
    EXPECT_TRUE(gathered == 0 || gathered == share.cut.elements);
    std::map<std::uint64_t, std::uint64_t> parts;
    for (const auto& list : share.whole) {
      if (list.elements > 0) parts[list.begin] = list.begin + list.elements;
    }
    for (const auto& piece : plan.pieces()) {
      if (piece.shard == static_cast<int>(j)) parts[piece.begin] = piece.end;
    }
    std::uint64_t end = 0;
    for (const auto& part : parts) {
      EXPECT_EQ(part.first, end);
      end = part.second;
    }
    EXPECT_EQ(end, c.sizes[j]);
  }
  for (const auto& piece : plan.pieces()) {
    EXPECT_LE(piece.from + (piece.end - piece.begin), plan.of(piece.owner).cut.elements);
  }
}

/// Expects no two elements to have the same destination.
void expect_destinations_apart(const counted& c, const peer_exchange_plan& plan) {
  const std::uint64_t total = std::accumulate(c.sizes.begin(), c.sizes.end(), std::uint64_t{0});
  std::vector<std::uint64_t> before(c.sizes.size() + 1);
  std::partial_sum(c.sizes.begin(), c.sizes.end(), before.begin() + 1);
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> runs;  // (-1: ranks, or owner), begin, end
  const std::size_t k = c.equal.size();
  for (std::size_t i = 0; i < c.sizes.size(); ++i) {
    for (std::size_t b = 0; b < k; ++b) {
      const std::uint64_t count = c.counts[i * k + b];
      if (count == 0) continue;
      const auto& to = plan.to(i, b);
      const int array = to.is_cut ? to.shard : -1;
      const std::uint64_t first = to.first + (array < 0 && to.shard >= 0 ? before[to.shard] : 0);
      EXPECT_TRUE(runs.emplace(std::make_pair(array, first), first + count).second);
    }
  }
  std::pair<int, std::uint64_t> last{-2, 0};
  for (const auto& run : runs) {
    if (run.first.first == last.first) {
      EXPECT_GE(run.first.second, last.second);
    }
    last = {run.first.first, run.second};
    EXPECT_LE(run.second, total);
  }
}

TEST(PeerExchangePlan, CountedElementsHaveDestinationsOfTheirOwn) {
  for (std::uint64_t round = 0; round < 300; ++round) {
    const counted c = draw(1 + round % 9, 1 + round % 40, 1 + round % 13, kit::seed() + round);
    const peer_exchange_plan plan(c.sizes, c.counts, c.equal);
    expect_every_rank_once(c, plan);
    expect_destinations_apart(c, plan);
  }
}

/// Expects what a shard gets, and what it has for others, to be parts one after the other; those of
/// a group follow those of the group before, and have the regions of its buckets.
void expect_regions_apart(const counted& c, const peer_regions& regions) {
  const std::size_t p = c.sizes.size(), k = c.equal.size();
  std::vector<std::uint64_t> room(p), outgoing(p);
  int group = 0;
  for (const auto& part : regions.parts()) {
    ASSERT_LE(group, part.group);
    group = part.group;
    EXPECT_LE(regions.group_begin(part.to, group), part.begin);
    EXPECT_LE(part.end, regions.group_end(part.to, group));
    EXPECT_EQ(part.begin, room[part.to]);
    EXPECT_EQ(part.outgoing, outgoing[part.from]);
    for (std::size_t b = 0; b < k; ++b) {
      if (regions.owner(b) != part.to || regions.group(b) != group) continue;
      const auto& region = regions.of(part.from, b);
      EXPECT_EQ(region.begin, room[part.to]);
      EXPECT_EQ(region.outgoing, outgoing[part.from]);
      EXPECT_LE(region.begin, region.end);
      room[part.to] = region.end;
      if (part.from != part.to) outgoing[part.from] += region.end - region.begin;
    }
    EXPECT_EQ(part.end, room[part.to]);
  }
  for (std::size_t j = 0; j < p; ++j) {
    EXPECT_EQ(regions.room(j), room[j]);
    EXPECT_EQ(regions.outgoing(j), outgoing[j]);
    EXPECT_EQ(regions.group_end(j, regions.groups() - 1), room[j]);
  }
  for (std::size_t b = 1; b < k; ++b) {
    EXPECT_GE(regions.owner(b), regions.owner(b - 1));
    if (regions.owner(b) == regions.owner(b - 1)) {
      EXPECT_GE(regions.group(b), regions.group(b - 1));
    }
  }
}

TEST(PeerExchangePlan, RegionsAreSharedOut) {
  for (std::uint64_t round = 0; round < 300; ++round) {
    const counted c = draw(1 + round % 9, 1 + round % 40, 1 + round % 13, kit::seed() + round);
    std::vector<peer_regions::sampled_shard> shards;
    std::vector<size> sampled = c.counts;
    for (std::size_t i = 0; i < c.sizes.size(); ++i) {
      std::uint64_t n = 0;
      for (std::size_t b = 0; b < c.equal.size(); ++b) {
        n += sampled[i * c.equal.size() + b] /= round % 2 ? 4 : 1;
      }
      shards.push_back({c.sizes[i], n, 3});
    }
    const int groups = 1 + static_cast<int>(round % 5);
    const peer_regions regions(shards, sampled, c.equal.size(), groups);
    expect_regions_apart(c, regions);
    expect_every_rank_once(c, peer_exchange_plan(c.sizes, c.counts, c.equal, regions));
  }
}

TEST(PeerExchangePlan, EachGroupIsLargerThanTheOneBefore) {
  constexpr std::size_t k = 1024;
  constexpr int groups = 4;
  const std::vector<size> counts(2 * k, 1000);
  const peer_regions regions({{k * 1000, k * 1000, 0}, {k * 1000, k * 1000, 0}}, counts, k, groups);
  std::vector<int> buckets(2 * groups);
  for (std::size_t b = 0; b < k; ++b) {
    EXPECT_EQ(regions.owner(b), b < k / 2 ? 0 : 1);
    ++buckets[regions.owner(b) * groups + regions.group(b)];
  }
  for (int j = 0; j < 2; ++j) {
    for (int g = 1; g < groups; ++g) {
      EXPECT_NEAR(buckets[j * groups + g], buckets[j * groups + g - 1] * peer_regions::growth, 2);
    }
  }
  EXPECT_EQ(regions.parts().size(), std::size_t{2} * 2 * groups);
}

TEST(PeerExchangePlan, AllEqualElementsGoToRanks) {
  const std::vector<std::uint64_t> sizes = {5, 0, 7, 1};
  const peer_exchange_plan plan(sizes, {0, 5, 0, 0, 0, 7, 0, 1}, {0, 1});
  EXPECT_TRUE(plan.pieces().empty());
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    EXPECT_EQ(plan.of(j).whole[0].elements, sizes[j]);
    EXPECT_EQ(plan.to(j, 1).shard, -1);
  }
  EXPECT_EQ(plan.to(3, 1).first, 12u);
}

TEST(PeerExchangePlan, OneBucketOfAllIsCut) {
  const peer_exchange_plan plan({5, 0, 7, 1}, {5, 0, 7, 1}, {0});
  EXPECT_EQ(plan.of(2).cut.elements, 13u);
  EXPECT_EQ(plan.pieces().size(), 3u);
}

}  // namespace

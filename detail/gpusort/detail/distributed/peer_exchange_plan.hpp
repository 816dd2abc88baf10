// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/peer_regions.hpp>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Plans who gets what in a sort of shards that keep their sizes, from how many elements of each
/// bucket each shard has. A bucket is sorted by the shard that has its ranks. One that a boundary
/// of shards cuts is sorted as a whole by one of them, which gives away what is not its own; where
/// its elements are equivalent, they go to ranks of their own right away.
class peer_exchange_plan {
 public:
  using size = unsigned long long;

  /// Tells where a shard's elements of a bucket go.
  struct destination {
    int shard;            // -1: to ranks
    bool is_cut;          // to the shard's cut buckets
    std::uint64_t first;  // index there, or rank
  };

  /// Ranks [begin, end) of a shard, from `from` on in its owner's sorted cut buckets.
  struct piece {
    int owner, shard;
    std::uint64_t from, begin, end;
  };

  struct source {
    std::uint64_t begin, count;
  };

  struct bucket_list {
    std::uint64_t begin = 0;  // of whole buckets, in the shard
    std::uint64_t elements = 0;
    std::vector<size> counts;         // of each run
    std::vector<size> begins;         // of each run; none where they follow each other
    std::vector<std::uint8_t> equal;  // a mark for each bucket
    std::vector<source> sources;      // where elements are that are to follow each other

    std::uint32_t buckets() const { return static_cast<std::uint32_t>(equal.size()); }
    std::uint32_t runs() const {
      return equal.empty() ? 1 : static_cast<std::uint32_t>(counts.size() / equal.size());
    }
  };

  /// Holds what a shard sorts after the exchange.
  struct share {
    std::vector<bucket_list> whole;  // of each group
    bucket_list cut;
  };

  /// Plans for shards that have counted what they will send: counts[i * k + b] elements of bucket b
  /// are in shard i. Their sum is that of `sizes`.
  peer_exchange_plan(const std::vector<std::uint64_t>& sizes, const std::vector<size>& counts,
                     const std::vector<std::uint8_t>& equal)
      : peer_exchange_plan(sizes, equal.size(), 1) {
    destinations_.resize(counts.size());
    for_each_bucket(counts, [&](std::size_t b, const span& ranks) {
      destination next = to_counted(ranks, equal[b] != 0);
      for (std::size_t i = 0; i < shards_; ++i) {
        destinations_[i * buckets_ + b] = next;
        next.first += counts[i * buckets_ + b];
      }
    });
  }

  /// Plans for elements that are in regions already, those of a bucket in as many runs as there are
  /// shards; what is in cut buckets is gathered.
  peer_exchange_plan(const std::vector<std::uint64_t>& sizes, const std::vector<size>& counts,
                     const std::vector<std::uint8_t>& equal, const peer_regions& regions)
      : peer_exchange_plan(sizes, equal.size(), regions.groups()) {
    for_each_bucket(counts, [&](std::size_t b, const span& ranks) {
      const auto owner = static_cast<std::size_t>(regions.owner(b));
      const bool is_whole = bounds_[owner] <= ranks.begin && ranks.end <= bounds_[owner + 1];
      bucket_list& list = is_whole ? add_whole(owner, regions.group(b), ranks, equal[b] != 0)
                                   : add_cut(owner, ranks);
      if (is_whole) list.counts.pop_back();
      for (std::size_t i = 0; i < shards_; ++i) {
        const size count = counts[i * buckets_ + b], begin = regions.of(i, b).begin;
        if (is_whole) {
          list.counts.push_back(count);
          list.begins.push_back(begin);
        } else if (count > 0) {
          list.sources.push_back({begin, count});
        }
      }
    });
  }

  /// Returns where a bucket of a counted shard goes.
  const destination& to(std::size_t from_shard, std::size_t bucket) const {
    return destinations_[from_shard * buckets_ + bucket];
  }
  const share& of(std::size_t shard) const { return shares_[shard]; }
  const std::vector<piece>& pieces() const { return pieces_; }

 private:
  struct span {
    std::uint64_t begin, end;  // ranks
    std::size_t first;         // the shard of `begin`
  };

  peer_exchange_plan(const std::vector<std::uint64_t>& sizes, std::size_t buckets, int groups)
      : shards_(sizes.size()), buckets_(buckets), shares_(sizes.size()), bounds_(1) {
    for (std::uint64_t n : sizes) bounds_.push_back(bounds_.back() + n);
    for (share& s : shares_) s.whole.resize(static_cast<std::size_t>(groups));
  }

  /// Calls use(b, ranks) for each bucket that is not empty.
  template <class Use>
  void for_each_bucket(const std::vector<size>& counts, Use use) const {
    span ranks{};
    for (std::size_t b = 0; b < buckets_; ++b) {
      for (std::size_t i = 0; i < shards_; ++i) ranks.end += counts[i * buckets_ + b];
      if (ranks.end == ranks.begin) continue;
      while (bounds_[ranks.first + 1] <= ranks.begin) ++ranks.first;
      use(b, ranks);
      ranks.begin = ranks.end;
    }
  }

  destination to_counted(const span& ranks, bool is_equal) {
    const std::size_t first = ranks.first;
    if (ranks.end <= bounds_[first + 1]) {
      add_whole(first, 0, ranks, is_equal);
      return {static_cast<int>(first), false, ranks.begin - bounds_[first]};
    }
    if (is_equal) {
      for_each_part(ranks, [&](const span& part) { add_whole(part.first, 0, part, true); });
      return {-1, false, ranks.begin};
    }
    const std::size_t owner = shard_with_most(ranks);
    const std::uint64_t index = shares_[owner].cut.elements;
    add_cut(owner, ranks);
    return {static_cast<int>(owner), true, index};
  }

  bucket_list& add_whole(std::size_t shard, int group, const span& ranks, bool is_equal) {
    bucket_list& list = shares_[shard].whole[static_cast<std::size_t>(group)];
    if (list.elements == 0) list.begin = ranks.begin - bounds_[shard];
    return add(list, ranks.end - ranks.begin, is_equal);
  }

  bucket_list& add_cut(std::size_t owner, const span& ranks) {
    bucket_list& cut = shares_[owner].cut;
    for_each_part(ranks, [&](const span& part) {
      pieces_.push_back({static_cast<int>(owner), static_cast<int>(part.first),
                         cut.elements + part.begin - ranks.begin, part.begin - bounds_[part.first],
                         part.end - bounds_[part.first]});
    });
    return add(cut, ranks.end - ranks.begin, false);
  }

  static bucket_list& add(bucket_list& list, std::uint64_t count, bool is_equal) {
    list.elements += count;
    list.counts.push_back(count);
    list.equal.push_back(is_equal);
    return list;
  }

  std::size_t shard_with_most(const span& ranks) const {
    std::size_t shard = ranks.first;
    std::uint64_t most = 0;
    for_each_part(ranks, [&](const span& part) {
      if (part.end - part.begin > most) shard = part.first;
      most = (std::max)(most, part.end - part.begin);
    });
    return shard;
  }

  template <class Use>
  void for_each_part(span ranks, Use use) const {
    for (; ranks.begin < ranks.end; ++ranks.first) {
      const std::uint64_t end = (std::min)(ranks.end, bounds_[ranks.first + 1]);
      if (ranks.begin >= end) continue;
      use(span{ranks.begin, end, ranks.first});
      ranks.begin = end;
    }
  }

  std::size_t shards_, buckets_;
  std::vector<destination> destinations_;
  std::vector<share> shares_;
  std::vector<piece> pieces_;
  std::vector<std::uint64_t> bounds_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

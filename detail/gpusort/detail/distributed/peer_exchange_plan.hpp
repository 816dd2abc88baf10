// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Who gets what in the exchange of a sort of shards that keep their sizes: from how many elements
/// of each bucket each shard has. The bucket of rank r goes to the shard that has rank r. A bucket
/// that a boundary of shards cuts goes to one shard as a whole, which sorts it and gives away what
/// is not its own; where its elements are equivalent, they go to ranks of their own right away.
class peer_exchange_plan {
 public:
  using size = unsigned long long;

  /// Elements of a bucket that go from a shard to another one, or to ranks.
  struct destination {
    int shard;            // -1: to ranks
    bool is_cut;          // to the shard's cut buckets
    std::uint64_t first;  // slot there, or rank
  };

  /// Ranks [begin, end) of a shard, from `from` on in its owner's sorted cut buckets.
  struct piece {
    int owner, shard;
    std::uint64_t from, begin, end;
  };

  /// What a shard sorts after the exchange.
  struct share {
    std::uint64_t begin = 0, count = 0;  // ranks in the shard that are in whole buckets
    std::vector<size> buckets;           // their sizes, in order
    std::vector<std::uint8_t> are_equal;
    std::vector<size> cut_buckets;
    std::uint64_t cut_count = 0;  // elements of cut buckets
  };

  /// counts[i * k + b]: elements of bucket b in shard i; their sum is that of `sizes`.
  peer_exchange_plan(const std::vector<std::uint64_t>& sizes, const std::vector<size>& counts,
                     const std::vector<std::uint8_t>& equal)
      : shards_(sizes.size()),
        buckets_(equal.size()),
        destinations_(counts.size()),
        shares_(sizes.size()),
        bounds_(sizes.size() + 1) {
    for (std::size_t j = 0; j < shards_; ++j) bounds_[j + 1] = bounds_[j] + sizes[j];
    std::uint64_t begin = 0;
    std::size_t first = 0;  // shard that has rank `begin`
    for (std::size_t b = 0; b < buckets_; ++b) {
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < shards_; ++i) count += counts[i * buckets_ + b];
      if (count == 0) continue;
      while (bounds_[first + 1] <= begin) ++first;
      destination next = place(begin, count, first, equal[b] != 0);
      for (std::size_t i = 0; i < shards_; ++i) {
        destinations_[i * buckets_ + b] = next;
        next.first += counts[i * buckets_ + b];
      }
      begin += count;
    }
  }

  const destination& to(std::size_t from_shard, std::size_t bucket) const {
    return destinations_[from_shard * buckets_ + bucket];
  }
  const share& of(std::size_t shard) const { return shares_[shard]; }
  const std::vector<piece>& pieces() const { return pieces_; }

 private:
  std::uint64_t end_in(std::size_t shard, std::uint64_t end) const {
    return std::min(end, bounds_[shard + 1]);
  }

  /// Of the bucket's first element; `first` is the shard that it belongs to.
  destination place(std::uint64_t begin, std::uint64_t count, std::size_t first, bool is_equal) {
    const std::uint64_t end = begin + count;
    if (end <= bounds_[first + 1]) {
      add_whole(first, begin, count, is_equal);
      return {static_cast<int>(first), false, begin - bounds_[first]};
    }
    if (!is_equal) return add_cut(begin, end, first);
    for_each_part(begin, end, first, [&](std::size_t j, std::uint64_t low, std::uint64_t high) {
      add_whole(j, low, high - low, true);
    });
    return {-1, false, begin};
  }

  void add_whole(std::size_t shard, std::uint64_t begin, std::uint64_t count, bool is_equal) {
    share& s = shares_[shard];
    if (s.count == 0) s.begin = begin - bounds_[shard];
    s.count += count;
    s.buckets.push_back(count);
    s.are_equal.push_back(is_equal);
  }

  /// The shard that keeps most of it is the owner.
  destination add_cut(std::uint64_t begin, std::uint64_t end, std::size_t first) {
    std::size_t owner = first;
    std::uint64_t most = 0;
    for_each_part(begin, end, first, [&](std::size_t j, std::uint64_t low, std::uint64_t high) {
      if (high - low > most) owner = j;
      most = std::max(most, high - low);
    });
    share& s = shares_[owner];
    const std::uint64_t slot = s.cut_count;
    for_each_part(begin, end, first, [&](std::size_t j, std::uint64_t low, std::uint64_t high) {
      pieces_.push_back({static_cast<int>(owner), static_cast<int>(j), slot + low - begin,
                         low - bounds_[j], high - bounds_[j]});
    });
    s.cut_buckets.push_back(end - begin);
    s.cut_count += end - begin;
    return {static_cast<int>(owner), true, slot};
  }

  template <class Use>
  void for_each_part(std::uint64_t begin, std::uint64_t end, std::size_t first, Use use) const {
    for (std::size_t j = first; begin < end; ++j) {
      const std::uint64_t high = end_in(j, end);
      if (begin < high) use(j, begin, high);
      begin = std::max(begin, high);
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

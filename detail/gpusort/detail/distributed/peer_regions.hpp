// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Room for the elements of each bucket of each shard, by how many of a sample of the shard are in
/// it: with the shard that has the bucket's ranks, as far as the sample tells.
class peer_regions {
 public:
  using size = unsigned long long;

  /// What a shard has, and what of that has been sampled; what is not may be in any bucket.
  struct sampled_shard {
    std::uint64_t n, sampled, beyond;
  };

  /// counts[i * k + b]: those of shard i's sample that are in bucket b.
  peer_regions(const std::vector<sampled_shard>& shards, const std::vector<size>& counts,
               std::size_t buckets)
      : buckets_(buckets), room_(shards.size()), begins_(counts.size()), ends_(counts.size()) {
    std::vector<std::uint64_t> bounds(1);
    for (const sampled_shard& s : shards) bounds.push_back(bounds.back() + s.n);
    double begin = 0;
    std::size_t owner = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      double expected = 0;
      for (std::size_t i = 0; i < shards.size(); ++i) {
        expected += ratio(shards[i]) * static_cast<double>(counts[i * buckets + b]);
      }
      const double middle = begin + expected / 2;
      while (owner + 1 < shards.size() && static_cast<double>(bounds[owner + 1]) <= middle) ++owner;
      owners_.push_back(static_cast<int>(owner));
      for (std::size_t i = 0; i < shards.size(); ++i) {
        begins_[i * buckets + b] = room_[owner];
        room_[owner] += room_for(shards[i], counts[i * buckets + b]);
        ends_[i * buckets + b] = room_[owner];
      }
      begin += expected;
    }
  }

  int owner(std::size_t bucket) const { return owners_[bucket]; }
  std::uint64_t room(std::size_t shard) const { return room_[shard]; }
  std::uint64_t begin(std::size_t shard, std::size_t bucket) const {
    return begins_[shard * buckets_ + bucket];
  }
  std::uint64_t end(std::size_t shard, std::size_t bucket) const {
    return ends_[shard * buckets_ + bucket];
  }

 private:
  static double ratio(const sampled_shard& s) {
    return s.sampled > 0 ? static_cast<double>(s.n) / static_cast<double>(s.sampled) : 0;
  }

  /// Six times what a count varies by: none of a thousand regions has too little once in 10^5
  /// sorts.
  static std::uint64_t room_for(const sampled_shard& s, size count) {
    const double expected = static_cast<double>(count) + 6 * std::sqrt(count + 1.0);
    return std::min(s.n, static_cast<std::uint64_t>(ratio(s) * expected) + s.beyond);
  }

  std::size_t buckets_;
  std::vector<std::uint64_t> room_;
  std::vector<int> owners_;
  std::vector<std::uint64_t> begins_, ends_;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

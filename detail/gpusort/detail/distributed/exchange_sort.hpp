// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/distributed/device_links.hpp>
#include <gpusort/detail/distributed/peer_sort.hpp>
#include <gpusort/detail/router/plan.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Keys in shards, sorted by an exchange of buckets in place of exact cuts: where the order of
/// equivalent keys is free, devices reach each other, and scratch is the library's own.
template <class Call, class Key, class Compare>
class exchange_sort {
  using sorter = peer_sort<Key, Compare>;
  using algorithm = typename sorter::sort;

 public:
  static constexpr bool is_possible =
      sorter::is_for_keys && !Call::deterministic && Call::forced == route::nothing;

  /// Sorts with shard i on devices[i], where its work goes to streams(i).
  template <class Shards, class Streams>
  exchange_sort(const Call& call, const Shards& shards, const std::vector<int>& devices,
                const Streams& streams) {
    bool serves = call.memory.allocate == pool_memory().allocate;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      serves = serves && sorter::is_aligned(shards[i].data);
      shards_.push_back(sorter::shard_at(devices[i], streams(i), shards[i].data, shards[i].n));
    }
    serves_ = serves && algorithm::serves(shards_);
  }

  bool serves() const { return serves_; }

  /// Returns false where it does not serve, or scratch is short; then nothing has been moved.
  bool run(const Compare& compare) const { return serves_ && sorter::run(shards_, compare); }

  /// Returns the most scratch of a shard of n elements, without tables.
  static std::size_t most_scratch_bytes(std::uint64_t n) {
    return algorithm::most_scratch_bytes(n);
  }

  /// Returns the most that leaves a device.
  std::uint64_t bytes_out() const {
    std::uint64_t total = 0;
    double most = 0;
    for (const auto& s : shards_) total += s.n;
    for (const auto& s : shards_) most = (std::max)(most, algorithm::bytes_out(s.n, total));
    return static_cast<std::uint64_t>(most);
  }

 private:
  std::vector<typename sorter::shard> shards_;
  bool serves_;
};

/// Sorts keys so, and waits; false where exact cuts have to do, and nothing has been moved.
template <class Call, class Compare, class Shards>
bool sort_by_exchange(const Call& call, const Compare& compare, const Shards& shards,
                      const std::vector<int>& devices) {
  using key = std::remove_pointer_t<decltype(shards[0].data)>;
  using sort = exchange_sort<Call, key, Compare>;
  bool is_done = false;
  if constexpr (sort::is_possible) {
    if (shards.size() < 2) return false;
    run_on_device(call, [&](const Call& own) {
      device_links links(devices);
      const sort by_exchange(own, shards, devices, [&](std::size_t i) { return links.stream(i); });
      if (!by_exchange.serves()) return;
      links.begin_after(own.stream);
      is_done = by_exchange.run(compare);
      links.wait();
    });
  }
  return is_done;
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

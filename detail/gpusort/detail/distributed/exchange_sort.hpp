// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/memory/run_on_device.hpp>
#include <gpusort/detail/distributed/device_links.hpp>
#include <gpusort/detail/distributed/peer_sort.hpp>
#include <gpusort/detail/kernel/packed_pairs.hpp>
#include <gpusort/detail/router/plan.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
#include <gpusort/detail/support/memory_source.hpp>
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

  /// Shard i is on devices[i], where its work goes to streams(i).
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

  /// False where it does not serve, or scratch is short; then nothing has been moved.
  bool run(const Compare& compare) const { return serves_ && sorter::run(shards_, compare); }

  /// The most scratch of a shard of n elements, without tables.
  static std::size_t most_scratch_bytes(std::uint64_t n) {
    return algorithm::most_scratch_bytes(n);
  }

  /// The most that leaves a device.
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

/// Whether keys and one column of values are sorted as words, of a key and its value each.
template <class Compare, class Key, class... Values>
inline constexpr bool are_packed_pairs_v = false;
template <class Compare, class Key, class Value>
inline constexpr bool are_packed_pairs_v<Compare, Key, Value> =
    is_arithmetic_key_v<Key>&& is_less_or_greater_v<Compare> && sizeof(Key) == 4 &&
    sizeof(Value) == 4 && alignof(Value) == 4 && std::is_trivially_copyable_v<Value>;

/// Shards of keys and values of 4 bytes, and of the words that stand for them, in scratch.
template <class Keys, class Values>
class packed_shards {
  using key = std::remove_pointer_t<decltype(std::declval<Keys>()[0].data)>;
  struct words {
    std::uint64_t* data;
    std::uint64_t n;
  };

 public:
  /// `flips`: the bits of keys that are flipped, so that words ascend.
  packed_shards(const Keys& keys, const Values& values, std::uint32_t flips)
      : keys_(keys), values_(values), flips_(flips) {
    for (const auto& shard : keys) shards_.push_back({nullptr, shard.n});
  }

  const std::vector<words>& shards() const { return shards_; }

  /// False where there is too little memory for words.
  bool allocate(const memory_source& memory, const device_links& links) {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      const device_guard guard(links.device(i));
      buffers_.emplace_back(memory, shards_[i].n * sizeof(std::uint64_t), links.stream(i));
      if (!buffers_[i]) return false;
      shards_[i].data = buffers_[i].template as<std::uint64_t>();
    }
    return true;
  }

  void pack(const device_links& links) const {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      const device_guard guard(links.device(i));
      launch(kernel::pack_pairs_kernel<key>, blocks(i), kernel::packing_threads, 0, links.stream(i),
             keys_[i].data, reinterpret_cast<const std::uint32_t*>(values_[i].data), shards_[i].n,
             flips_, shards_[i].data);
    }
  }
  void unpack(const device_links& links) const {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      const device_guard guard(links.device(i));
      launch(kernel::unpack_pairs_kernel<key>, blocks(i), kernel::packing_threads, 0,
             links.stream(i), shards_[i].data, shards_[i].n, flips_, keys_[i].data,
             reinterpret_cast<std::uint32_t*>(values_[i].data));
    }
  }

 private:
  std::uint64_t blocks(std::size_t i) const {
    return ceil_div<std::uint64_t>(shards_[i].n, kernel::packing_threads);
  }

  const Keys& keys_;
  const Values& values_;
  std::uint32_t flips_;
  std::vector<scratch_buffer> buffers_;
  std::vector<words> shards_;
};

/// Sorts keys and values of 4 bytes so, as words of 8, and waits; false where exact cuts have to
/// do, and nothing has been moved. Two H200, 2^28 of each on either: cuts of pairs take 1.22 times
/// as many elements in a second as one device, an exchange of words that need no packing 1.72 times
/// as many as one device of them. This sort was not measured.
template <class Call, class Compare, class Keys, class Values>
bool sort_pairs_by_exchange(const Call& call, const Keys& keys, const Values& values,
                            const std::vector<int>& devices) {
  using sort = exchange_sort<Call, std::uint64_t, less>;
  bool is_done = false;
  if constexpr (sort::is_possible) {
    if (keys.size() < 2) return false;
    run_on_device(call, [&](const Call& own) {
      device_links links(devices);
      constexpr std::uint32_t flips = std::is_same_v<Compare, greater> ? ~std::uint32_t{0} : 0;
      packed_shards<Keys, Values> packed(keys, values, flips);
      const auto streams = [&](std::size_t i) { return links.stream(i); };
      if (!sort(own, packed.shards(), devices, streams).serves()) return;
      if (!packed.allocate(own.memory, links)) return;
      links.begin_after(own.stream);
      packed.pack(links);
      is_done = sort(own, packed.shards(), devices, streams).run(less{});
      if (is_done) packed.unpack(links);
      links.wait();
    });
  }
  return is_done;
}

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/detail/distributed/device_error.hpp>
#include <gpusort/detail/distributed/peer_call.hpp>
#include <gpusort/detail/distributed/peer_scratch.hpp>
#include <gpusort/detail/distributed/peer_shard.hpp>
#include <gpusort/detail/support/peer_array.hpp>
#include <gpusort/detail/support/peer_memory.hpp>
#include <gpusort/detail/tuning/peer_sample_sort.hpp>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Sorts shards on devices that reach each other's memory as one range: the first level of sample
/// sort is the exchange. Every shard keeps its size.
///
/// A sample of all shards gives the buckets, and the devices that will have them. How much of a
/// bucket comes from where a larger sample tells, with room for what it misjudges. The tiles of
/// each shard are scattered: what is for others into a second scratch, from where copies
/// bring it, one group of buckets after the other, of which each is sorted while the next one is
/// under way. Where there is no memory for that, or no estimate, they are scattered straight into
/// the scratch of those devices. Each device sorts its buckets into its range. A bucket that a
/// boundary of shards cuts is sorted as a whole by one of them, which gives away the rest. Where
/// the sample has misjudged more, as nothing has been moved but copied, all elements are counted
/// and exchanged again; few elements, whose estimates would be rough, are counted at once.
///
/// Not stable. A permutation for any comparator: an element's bucket is found once (or by an order
/// of the library's own twice), and what has been scattered is what is sorted. Scratch of a shard:
/// n elements, a sixteenth of it at most as room, 2 bytes for each of both, what it has for others,
/// o(n) for tables, and twice the buckets that are cut, which are an eighth of n at most.
/// The host waits twice, for counts. Each device sends what is not its own: n (1 - 1/p) elements of
/// a uniform input. Source: paper 003, section 6, for its first level; the exchange is ours.
template <class Array, class Compare,
          class Exchange =
              typename tuning::peer_sample_sort<sizeof(typename Array::value_type)>::exchange>
class peer_sample_sort {
  using key = typename peers_of<Array>::key;
  using tuning = detail::tuning::peer_sample_sort<sizeof(key)>;
  using room = peer_room<Array>;

 public:
  using shard = peer_shard<Array>;
  using order = Compare;

  static constexpr int max_shards = peers_of<Array>::type::max_peers;

  /// Whether `run` may be called.
  static bool is_possible(const std::vector<shard>& shards) {
    if (shards.empty() || shards.size() > std::size_t{max_shards}) return false;
    for (const shard& s : shards) {
      if (is_capturing(s.stream)) return false;
      for (const shard& other : shards) {
        if (!can_reach(s.device, other.device)) return false;
      }
    }
    return true;
  }
  static constexpr std::uint64_t least_shard() { return tuning::least_bytes / sizeof(key); }

  /// Whether `run` is worth calling.
  static bool serves(const std::vector<shard>& shards) {
    std::uint64_t total = 0;
    for (const shard& s : shards) total += s.n;
    return shards.size() > 1 && total / shards.size() >= least_shard() && is_possible(shards);
  }

  /// Returns the bytes that leave a device with n of `total` elements, where these are like those
  /// of the others. Over the rate of its link that is how long the exchange takes at least.
  static double bytes_out(std::uint64_t n, std::uint64_t total) {
    if (total == 0) return 0;
    const auto own = static_cast<double>(n);
    return own * (1 - own / static_cast<double>(total)) * sizeof(key);
  }

  /// Returns the most scratch of a shard of n elements without options and tables: what the shard
  /// receives, twice the cut buckets, and what it gathers for others.
  static std::size_t most_scratch_bytes(std::uint64_t n) {
    constexpr std::size_t each = sizeof(key) + sizeof(std::uint16_t);
    const std::uint64_t gathered = tuning::groups > 0 ? room::most_received(n) : 0;
    return static_cast<std::size_t>(room::most_received(n) + 2 * room::most_cut(n)) * each +
           static_cast<std::size_t>(gathered) * sizeof(key);
  }

  /// Puts the sort on the shards' streams. Errors name the device. False, and nothing has been
  /// moved, where scratch is short, or would be for what is in buckets that are cut: then another
  /// sort is to be taken.
  template <class Observe = unobserved>
  static bool run(const std::vector<shard>& shards, Compare compare,
                  const peer_sort_options& options = {}, const Observe& observe = {}) {
    std::uint64_t total = 0;
    for (const shard& s : shards) total += s.n;
    if (total == 0) return true;
    const relaxed_capture_mode relaxed;
    int device = shards[0].device;
    return distributed::with_device_number(device, [&] {
      peer_call<Array, Compare, Exchange> work(shards, total, options, compare, device);
      return work.run(observe);
    });
  }
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

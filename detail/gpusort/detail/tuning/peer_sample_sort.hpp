// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of the sample sort of several devices, for elements of one size.
template <std::size_t ElementBytes>
struct peer_sample_sort {
  // Buckets of the exchange. A tile brings items_per_tile / buckets elements to each, one after the
  // other, and links carry short runs badly; but the fewer buckets, the more is in those that
  // boundaries cut. Measured, two H100, 2^28 u32 on each, 2^7, 2^8, 2^9 and 2^10 buckets, ms: 7.4,
  // 6.8, 6.5 and 6.8.
  static constexpr int log_buckets = 9;

  // Copies in which another shard gets its elements; 0: a kernel scatters to it. While a group is
  // sorted the next one comes, and tiles are scattered at home, in more buckets. Measured, ms, u32
  // with 2^28 on each: two H100 6.6 by a kernel, 5.8 in groups; four 8.8 and 6.7.
  static constexpr int groups = 5;
  static constexpr int log_buckets_in_groups = ElementBytes <= 4 ? 10 : 9;

  // Few elements have fewer buckets: the sort inside a device has less to do with smaller buckets,
  // but each has its splitters to find.
  static constexpr int log_least_bucket = 13;

  // With fewer elements for each device the launches and the round to the host, some 0.2 ms, take
  // longer than the sort. By estimate from the sort of one device: 2^22 u32 take 0.16 ms.
  static constexpr std::uint64_t least_bytes = std::uint64_t{32} << 20;

  // A shard takes so much of its elements, and a little, for buckets that are cut. Those between
  // splitters of an honest order are some (1 / buckets) of all shards.
  static constexpr int cut_share = 8;

  // The estimate of what a shard sends counts 1 / 2^log_sample_share of its elements: 2^14 in each
  // bucket of 2^28 elements and 2^10 buckets, with room for 4% more; where it exceeds room_share,
  // all are counted.
  static constexpr int log_sample_share = 4;
  static constexpr int room_share = 16;
  static constexpr std::uint64_t least_room = 1 << 14;

  // Counting all of fewer takes no longer than waiting for the host once more. By estimate.
  static constexpr std::uint64_t least_estimated = (std::uint64_t{64} << 20) / ElementBytes;

  // An estimate needs this many elements of each shard in a bucket: with 2^17 its room is 5.5%, and
  // room_share allows 6.25%. It needs as many buckets in the smallest shard, too, or 2^log_buckets
  // of them: a shard may get half a bucket more than its share, and a cut bucket must fit in
  // cut_share.
  static constexpr int log_least_estimated_bucket = 17;
  static constexpr std::uint64_t least_buckets_of_shard = 32;

  /// The tiles of the exchange: as large as one block of a multiprocessor can hold, so that runs
  /// are long. Links are slower than a block that waits for its own barriers.
  struct exchange {
    static constexpr int max_log_buckets = ElementBytes <= 8 ? 10 : 9;
    static constexpr int threads_per_block = 512;
    static constexpr int items_per_thread = [] {
      constexpr std::size_t buckets = std::size_t{1} << max_log_buckets;
      constexpr std::size_t beside = buckets * (12 + ElementBytes + 1) + 4096;
      int items = ElementBytes <= 4 ? 32 : ElementBytes <= 64 ? int{128 / ElementBytes} : 1;
      while (items > 1 && items * threads_per_block * (ElementBytes + 1) + beside >
                              shared_memory_of(architecture::every)) {
        --items;
      }
      return items;
    }();
    static constexpr int blocks_resident = 1;
    static constexpr int items_per_tile = threads_per_block * items_per_thread;
    static constexpr int items_per_chunk = 4 * items_per_tile;

    static_assert(items_per_tile <= 1 << 15, "ranks in a tile share an int with buckets");
  };
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of the sample sort of several devices, for elements of one size.
template <std::size_t ElementBytes>
struct peer_sample_sort {
  // Buckets of the exchange. A tile brings items_per_tile / buckets elements to each, one after the
  // other, and links carry short runs badly; but the fewer buckets, the more is in those that
  // boundaries cut. By estimate: 48 bytes a run of 4-byte elements.
  static constexpr int log_buckets = 9;

  // Of few elements fewer: of smaller buckets the sort inside a device has less to do, but each has
  // its splitters to find.
  static constexpr int log_least_bucket = 13;

  // With fewer elements for each device the launches and the round to the host, some 0.2 ms, take
  // longer than the sort. By estimate from the sort of one device: 2^22 u32 take 0.16 ms.
  static constexpr std::uint64_t least_bytes = std::uint64_t{32} << 20;

  // A shard takes so much of its elements, and a little, for buckets that are cut. Those between
  // splitters of an honest order are some (1 / buckets) of all shards.
  static constexpr int cut_share = 8;
  static constexpr std::uint64_t least_cut = 1 << 14;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/bucket_table.hpp>
#include <gpusort/detail/tile/sample.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// A shard among those that are sorted together.
struct shard_range {
  global_size before;  // elements in the shards in front of it
  global_size n;
  global_size total;
};

/// Holds what the kernels of a shard's first level expect.
struct shard_counters {
  global_size* counts;  // of k buckets
  std::uint32_t* arrivals;
  global_size* start;         // of the shard, as a segment
  std::uint32_t* violations;  // as nobody looks whether it is in order
};

/// One in 2^log_share of an array's elements, in groups that are read at once.
template <class Array>
struct sampled_array {
  using value_type = typename Array::value_type;
  static constexpr int group = sizeof(value_type) < 32 ? 32 / sizeof(value_type) : 1;

  Array data;
  int log_share;
  std::uint64_t seed;

  static std::uint64_t count_of(std::uint64_t n, int log_share) {
    return (n / group >> log_share) * group;
  }

  GPUSORT_DEVICE value_type load(std::uint64_t i) const {
    const std::uint64_t number = i / group;
    const std::uint64_t random = mix_bits(seed + number) & ((std::uint64_t{1} << log_share) - 1);
    return data.load(((number << log_share) + random) * group + i % group);
  }
};

/// Writes those of a sample of all shards that this one has, at their indices in the sample, and
/// sets up its counters. A thread for each element of the sample, which has k at least.
template <class In, class Samples>
GPUSORT_KERNEL void sample_shard_kernel(In in, shard_range shard, Samples samples, int log_samples,
                                        std::uint64_t seed, shard_counters counters, int k) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < k) counters.counts[i] = 0;
  if (i == 0) {
    *counters.arrivals = 0;
    *counters.start = 0;
    *counters.violations = neither;
  }
  if (i >= 1 << log_samples) return;
  const global_size index = tile::sample_index(i, log_samples, shard.total, seed) - shard.before;
  if (index < shard.n) samples.store(i, in.load(index));
}

}  // namespace kernel

namespace tile {

template <class Array, class Compare>
struct linear_value<kernel::sampled_array<Array>, Compare> : linear_value<Array, Compare> {};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

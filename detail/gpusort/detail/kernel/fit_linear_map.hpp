// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/tile/linear_map.hpp>
#include <gpusort/detail/tile/order_preserving_bits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

inline constexpr int max_log_linear_buckets = 10;

/// Shared memory of what follows.
struct fit_storage {
  unsigned histogram[1 << max_log_linear_buckets];
  unsigned squares;
  unsigned long long low, high;
};

/// Returns the sum of squares of how many of the elements of a sample fall into each of k buckets,
/// the i-th into bucket_at(i). Block-wide, between barriers.
template <class BucketAt>
GPUSORT_DEVICE unsigned sum_of_squares(fit_storage& shared, int samples, int k,
                                       const BucketAt& bucket_at) {
  for (int b = threadIdx.x; b < k; b += blockDim.x) shared.histogram[b] = 0;
  if (threadIdx.x == 0) shared.squares = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < samples; i += blockDim.x) {
    atomicAdd(shared.histogram + bucket_at(i), 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < k; b += blockDim.x) {
    atomicAdd(&shared.squares, shared.histogram[b] * shared.histogram[b]);
  }
  __syncthreads();
  const unsigned sum = shared.squares;
  __syncthreads();
  return sum;
}

/// Fits equally wide buckets between the first and the last of a sample, of the numbers or else of
/// the values that they stand for, if the sample's counts in them spread at most twice as much as
/// chance makes equally likely ones: that is what buckets between splitters vary by. Block-wide,
/// between barriers.
template <class In, class T, class Compare, class Items>
GPUSORT_DEVICE tile::linear_map fit_linear_map(Items& sample, int log_k, int log_oversample) {
  using number = tile::order_preserving_bits<T, Compare>;
  using value = tile::linear_value<In, Compare>;
  __shared__ fit_storage shared;
  const int k = 1 << log_k, samples = k << log_oversample;
  const unsigned oversample = 1u << log_oversample, most = samples * (2 + oversample);
  if (threadIdx.x == 0) {
    shared.low = ~0ull;
    shared.high = 0;
  }
  __syncthreads();
  unsigned long long my_low = ~0ull, my_high = 0;
  for (int i = threadIdx.x; i < samples; i += blockDim.x) {
    const unsigned long long x = number::of(sample[i]);
    my_low = x < my_low ? x : my_low;
    my_high = x > my_high ? x : my_high;
  }
  atomicMin(&shared.low, my_low);
  atomicMax(&shared.high, my_high);
  __syncthreads();
  const std::uint64_t low = shared.low, high = shared.high;
  const auto by_number = tile::linear_map::between(low, high, k);
  const unsigned squares = sum_of_squares(
      shared, samples, k, [&](int i) { return by_number.bucket_of(number::of(sample[i])); });
  if (squares <= most) return by_number;
  if constexpr (!value::is_number) {
    const auto by_value = tile::linear_map::between(value::of(low), value::of(high), k);
    const auto bucket_at = [&](int i) {
      return by_value.bucket_of(value::of(number::of(sample[i])));
    };
    if (sum_of_squares(shared, samples, k, bucket_at) <= most) return by_value;
  }
  return {};
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cooperative_groups.h>

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/tile/byte_counts.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// What a launch of the kernel does: all, cooperatively where it has several blocks, or one half.
enum class counting_step { all, count, fill };

/// Counting sort of bytes: every block counts its share, adds its counts to those of the others,
/// and writes its share of the output from the sums. `flip` turns a key into a byte that orders as
/// the key does. `totals` are one counter for each byte; a block that does all alone needs none,
/// and those that only count add to what they find. All of the input is read before anything is
/// written, so `out` may be `in`.
template <int ThreadsPerBlock>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock, 2)
    counting_sort_kernel(const unsigned char* in, unsigned char* out, std::uint64_t n,
                         std::uint64_t bytes_per_block, unsigned flip, unsigned long long* totals,
                         counting_step step) {
  __shared__ tile::byte_counts counts;
  const bool has_others = step != counting_step::all || gridDim.x > 1;
  const bool waits = step == counting_step::all && has_others;
  const int value = static_cast<int>(threadIdx.x);
  const std::uint64_t begin = min_of(blockIdx.x * bytes_per_block, n);
  const std::uint64_t end = min_of(begin + bytes_per_block, n);
  unsigned long long total = 0;
  if (step != counting_step::fill) {
    if (blockIdx.x == 0 && value < tile::byte_values && waits) totals[value] = 0;
    counts.clear();
    __syncthreads();
    counts.count(in + begin, end - begin, flip);
    __syncthreads();
    if (value < tile::byte_values) total = counts.of(value);
  }
  if (waits) cooperative_groups::this_grid().sync();
  if (has_others && total > 0) atomicAdd(totals + value, total);
  if (step == counting_step::count) return;
  if (waits) cooperative_groups::this_grid().sync();
  if (has_others && value < tile::byte_values) total = __ldcg(totals + value);
  counts.set_starts(total);
  __syncthreads();
  counts.fill(out + begin, begin, end - begin, flip);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

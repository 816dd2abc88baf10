// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cooperative_groups.h>

#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/tile/byte_counts.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Counting sort of bytes: every block counts its share, adds its counts to those of the others,
/// and writes its share of the output from the sums. `flip` turns a key into a byte that orders as
/// the key does. `totals` are one counter for each byte; a block that is alone needs none. Several
/// blocks are launched cooperatively. All of the input is read before anything is written, so `out`
/// may be `in`.
template <int ThreadsPerBlock>
GPUSORT_KERNEL void __launch_bounds__(ThreadsPerBlock)
    counting_sort_kernel(const unsigned char* in, unsigned char* out, std::uint64_t n,
                         std::uint64_t bytes_per_block, unsigned flip, unsigned long long* totals) {
  __shared__ tile::byte_counts counts;
  const bool is_alone = gridDim.x == 1;
  const int value = static_cast<int>(threadIdx.x);
  const std::uint64_t begin = min_of(blockIdx.x * bytes_per_block, n);
  const std::uint64_t end = min_of(begin + bytes_per_block, n);
  if (blockIdx.x == 0 && value < tile::byte_values && !is_alone) totals[value] = 0;
  counts.clear();
  __syncthreads();
  counts.count(in + begin, end - begin, flip);
  __syncthreads();

  unsigned long long total = value < tile::byte_values ? counts.of(value) : 0;
  if (!is_alone) {
    const auto grid = cooperative_groups::this_grid();
    grid.sync();
    if (total > 0) atomicAdd(totals + value, total);
    grid.sync();
    if (value < tile::byte_values) total = __ldcg(totals + value);
  }
  counts.set_starts(total);
  __syncthreads();
  counts.fill(out + begin, begin, end - begin, flip);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <gpusort/detail/kernel/signal_completion.hpp>
#include <gpusort/detail/support/bit_order.hpp>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts encoded keys digit by digit, by one block. Equal keys are the same bits and padding is the
/// last of them, so any may stand for another.
template <class Tuning, bool AreFloats>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block)
    small_radix_sort_kernel(bit_order<std::uint16_t, AreFloats> order, const std::uint16_t* in,
                            std::uint16_t* out, int n, std::uint32_t* completion) {
  constexpr int threads = Tuning::threads_per_block, items = Tuning::items_per_thread;
  using sorter = cub::BlockRadixSort<std::uint16_t, threads, items, cub::NullType, Tuning::bits>;
  __shared__ typename sorter::TempStorage storage;
  const auto index = [](int i) { return i * threads + static_cast<int>(threadIdx.x); };
  std::uint16_t x[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    constexpr std::uint16_t padding = 0xffff;
    x[i] = index(i) < n ? static_cast<std::uint16_t>(order.encode(in[index(i)])) : padding;
  }
  sorter(storage).SortBlockedToStriped(x);
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (index(i) < n) out[index(i)] = order.decode(x[i]);
  }
  signal_completion(completion);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <gpusort/detail/kernel/signal_completion.hpp>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Sorts keys that arrays hold as integers below 2^16, digit by digit, by one block. Equal keys are
/// the same bits and padding is the last of them, so any may stand for another.
template <class Tuning, bool Descending, class In, class Out>
GPUSORT_KERNEL void __launch_bounds__(Tuning::threads_per_block)
    small_radix_sort_kernel(In in, Out out, int n, std::uint32_t* completion) {
  constexpr int threads = Tuning::threads_per_block, items = Tuning::items_per_thread;
  using sorter = cub::BlockRadixSort<std::uint16_t, threads, items, cub::NullType, Tuning::bits>;
  __shared__ typename sorter::TempStorage storage;
  const auto index = [](int i) { return i * threads + static_cast<int>(threadIdx.x); };
  std::uint16_t x[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    constexpr std::uint16_t padding = Descending ? 0 : 0xffff;
    x[i] = index(i) < n ? static_cast<std::uint16_t>(in.load(index(i))) : padding;
  }
  if constexpr (Descending) {
    sorter(storage).SortDescendingBlockedToStriped(x);
  } else {
    sorter(storage).SortBlockedToStriped(x);
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (index(i) < n) out.store(index(i), x[i]);
  }
  signal_completion(completion);
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

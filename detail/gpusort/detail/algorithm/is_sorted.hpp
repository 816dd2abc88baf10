// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/is_sorted.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Whether a range is in order. One read of the elements, less where they are not.
///
/// Array is any handle with load(i); for long elements an index_sequence_array compared by
/// by_pointee, which loads none. Scratch: one int, the answer, which the caller copies to the host.
/// Launches: a memset and, from two elements on, 1 kernel. No synchronization; capturable.
template <class Array, class Compare>
struct is_sorted {
  static constexpr std::size_t scratch_bytes() { return sizeof(int); }

  /// Makes *is_unsorted 1 where compare(a[i + 1], a[i]) holds for some i, else 0.
  static void run(cudaStream_t stream, Array array, std::uint64_t n, Compare compare,
                  int* is_unsorted) {
    check(cudaMemsetAsync(is_unsorted, 0, sizeof(int), stream), "clearing a flag");
    if (n < 2) return;
    const auto resident = static_cast<std::uint64_t>(current_device_properties().multiprocessors) *
                          blocks_per_multiprocessor;
    launch(kernel::is_sorted_kernel<threads_per_block, items_per_thread, Array, Compare>,
           min_of(ceil_div<std::uint64_t>(n - 1, threads_per_block * items_per_thread), resident),
           threads_per_block, 0, stream, array, n, compare, is_unsorted);
  }

 private:
  static constexpr int threads_per_block = 256;
  // Loads in flight hide the latency of memory; the flag is read once for all of them.
  static constexpr int items_per_thread = 8;
  // All that fit: blocks that start late, and find that the range is unsorted, take time as well.
  static constexpr int blocks_per_multiprocessor = 8;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

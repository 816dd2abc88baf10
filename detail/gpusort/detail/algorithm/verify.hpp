// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/kernel/verify.hpp>
#include <gpusort/detail/support/check.hpp>
#include <gpusort/detail/support/launch.hpp>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// One read of n elements, or of a piece of them: adds up their checksums, and finds the first that
/// is out of order.
///
/// Scratch: one record, which passes over pieces share, and which the caller copies to the host.
/// Launches: 1 kernel; to clear the record two memsets. No synchronization.
struct verification {
  static void clear(cudaStream_t stream, pass_record* record) {
    check(cudaMemsetAsync(&record->sum, 0, sizeof(record->sum), stream), "clearing a checksum");
    check(cudaMemsetAsync(&record->first_wrong, 0xFF, sizeof(record->first_wrong), stream),
          "clearing an index");
  }

  template <class Elements, class Order>
  static void run(cudaStream_t stream, const Elements& elements, std::uint64_t begin,
                  std::uint64_t n, const Order& order, pass_record* record) {
    if (n == 0) return;
    const auto resident = static_cast<std::uint64_t>(current_device_properties().multiprocessors) *
                          blocks_per_multiprocessor;
    launch(kernel::verify_kernel<threads_per_block, items_per_thread, Elements, Order>,
           min_of(ceil_div<std::uint64_t>(n, threads_per_block * items_per_thread), resident),
           threads_per_block, 0, stream, elements, begin, n, order, record);
  }

 private:
  static constexpr int threads_per_block = 256;
  // Loads in flight hide the latency of memory.
  static constexpr int items_per_thread = 8;
  // All that fit, so that each warp adds to the record once.
  static constexpr int blocks_per_multiprocessor = 8;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

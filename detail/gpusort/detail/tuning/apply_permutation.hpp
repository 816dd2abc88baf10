// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

struct apply_permutation {
  // What one block ranks in shared memory, 8 bytes a thing.
  static constexpr int block_threads = 1024;
  static constexpr int block_items_per_thread = 4;

  // One ruler for 2^log_window things. Longer windows leave fewer ends of segments, and take fewer
  // levels; but the longest of m segments, which all wait for, has about ln(m) windows of things.
  // Measured, the first level alone, in ms: 2^24 windows of 4 1.13, of 8 1.38, of 16 1.58; 2^26
  // 6.2, 7.6, 8.5. All levels of 2^16 in us: windows of 4 94, of 8 77, of 16 111.
  static constexpr int max_log_window = 3;
  static constexpr int min_log_window = 2;
  static constexpr int log_window(std::uint64_t n) {
    return n >> 19 == 0 ? max_log_window : min_log_window;
  }

  // A thread has one segment. With as many threads as are resident, and each taking the next
  // segment when it is done, more lines are written by turns than the L2 cache keeps: measured for
  // 2^24, 2.04 ms in place of 1.38.
  static constexpr int threads_per_block = 256;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

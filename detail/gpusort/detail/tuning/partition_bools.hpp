// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// Bools in two passes. None of these numbers is the result of a sweep.
struct partition_bools {
  static constexpr int threads_per_block = 256;
  static constexpr int items_per_thread = 8;  // loads of a thread that wait together
  static constexpr int items_per_tile = threads_per_block * items_per_thread;
  static constexpr int blocks_resident = 4;   // of a multiprocessor: 64 registers a thread
  static constexpr int pieces_in_flight = 8;  // of 4 bytes, where keys are only counted
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of merge sort's look at the runs that there are already.
struct merge_sort {
  static constexpr int run_threads = 256;
  static constexpr int run_blocks_per_multiprocessor = 4;

  // A look costs a launch and a memset, and of a random input no more; of one that is nearly in
  // order up to a reading. Measured by ratios to Thrust in two runs, 2^22, before and after:
  // u32 1.57 and 1.58, u64 1.98 and 1.94. Neither this nor the blocks were swept.
  static constexpr std::uint64_t min_n_to_look = std::uint64_t{1} << 22;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

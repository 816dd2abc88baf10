// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/tuning/architecture.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of merge sort, for elements of one size; its passes' are beside multiway
/// merging's.
template <std::size_t ElementBytes, architecture Arch = selected_architecture()>
struct merge_sort {
  // A thread sorts a chunk of items by exchanging neighbours, so fewer than it merges. sm_75 has
  // 64 KB for a block.
  static constexpr int items_per_thread = ElementBytes <= 4    ? 31
                                          : ElementBytes <= 8  ? 15
                                          : ElementBytes <= 16 ? 7
                                          : ElementBytes <= 32 ? 3
                                                               : 1;
  static constexpr int threads_per_block =
      ElementBytes <= 8 && Arch >= architecture::sm_80 ? 512 : 256;

  // The look at the runs that there are already.
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

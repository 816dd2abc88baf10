// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of a merge of two runs, for elements of one size.
template <std::size_t ElementBytes>
struct merge {
  // As in multiway_merge, with more blocks on a multiprocessor: one round of merging hides behind
  // the loads of others. Measured, 2^28, ms: u32 15 items a thread 0.73, 23 0.65, 31 0.65; u64 9
  // items 1.21, 11 1.16, 15 1.14. Other sizes were not measured.
  static constexpr int items_per_thread = ElementBytes <= 4    ? 23
                                          : ElementBytes <= 8  ? 15
                                          : ElementBytes <= 16 ? 7
                                          : ElementBytes <= 32 ? 3
                                                               : 1;
  static constexpr int threads_per_block = 256;

  // A thread each finds one cut.
  static constexpr int split_threads = 128;

  static_assert(ElementBytes <= 128, "larger elements are merged by pointer");
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

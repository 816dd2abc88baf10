// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of a pass that merges several runs at once, for elements of one size.
template <std::size_t ElementBytes>
struct multiway_merge {
  static constexpr int items_per_thread = ElementBytes <= 8    ? 16
                                          : ElementBytes <= 16 ? 8
                                          : ElementBytes <= 32 ? 4
                                          : ElementBytes <= 64 ? 2
                                                               : 1;
  static constexpr int threads_per_block = ElementBytes <= 4 ? 512 : 256;

  // A lane of the warp that cuts them has two.
  static constexpr int max_log_ways = 6;
  static constexpr int max_ways = 1 << max_log_ways;

  static constexpr int select_threads = 256;
  static constexpr int check_threads = 256;

  static_assert(ElementBytes <= 128, "larger elements are merged by pointer");
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

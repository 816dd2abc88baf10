// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The numbers of merge sort for elements of one size.
template <std::size_t ElementBytes>
struct merge_sort {
  // A thread finds one boundary by binary search in shared memory and then merges its items: more
  // items spread the search wider, as long as they stay in some 32 registers.
  static constexpr int items_per_thread = ElementBytes <= 8    ? 16
                                          : ElementBytes <= 16 ? 8
                                          : ElementBytes <= 32 ? 4
                                          : ElementBytes <= 64 ? 2
                                                               : 1;

  // Tiles of 16 to 36 KB: several blocks on a multiprocessor hide each other's loads.
  static constexpr int threads_per_block = ElementBytes <= 16 ? 256 : 128;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;

  static_assert(ElementBytes <= 128, "larger elements are sorted by index and moved once");
  static_assert((items_per_tile & (items_per_tile - 1)) == 0, "runs are found by masks");
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

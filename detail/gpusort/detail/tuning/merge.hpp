// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// The tuning of a merge of two runs, for elements of one size.
template <std::size_t ElementBytes>
struct merge {
  // Small blocks: while one merges, others load and store. Measured at 2^28, us, without cuts: u32
  // 256 x 23 573, 256 x 31 579, 512 x 15 649, 128 x 27 519, 128 x 31 513; u64 256 x 15 1027,
  // 256 x 19 1028, 128 x 23 1029, 128 x 31 1183, 512 x 15 1117. Large tiles have few cuts.
  static constexpr int threads_per_block = ElementBytes <= 4 || ElementBytes > 8 ? 128 : 256;
  static constexpr int items_per_thread = ElementBytes <= 4    ? 31
                                          : ElementBytes <= 8  ? 19
                                          : ElementBytes <= 16 ? 17
                                          : ElementBytes <= 32 ? 7
                                          : ElementBytes <= 64 ? 5
                                                               : 1;

  // Up to this many tiles every block of the merge looks at all cuts; of more, those of a piece are
  // found and checked by a block each, in a launch of its own.
  static constexpr int max_tiles_without_pieces = 1280;
  static constexpr int cut_threads = 256, lanes_per_cut = 4;
  static constexpr int tiles_per_piece = cut_threads / lanes_per_cut;
  static constexpr int max_pieces = 2048;

  static_assert(ElementBytes <= 128, "larger elements are merged by pointer");
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

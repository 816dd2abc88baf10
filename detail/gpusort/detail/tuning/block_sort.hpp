// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// Items that one thread holds in registers while it sorts: about 8 to 16 registers of payload,
/// which leaves 32 warps resident; at least 2, because lanes trade halves.
template <std::size_t ElementBytes>
#ifndef IPT
#define IPT 8
#endif
inline constexpr int sort_items_per_thread = ElementBytes <= 8 ? IPT : ElementBytes <= 16 ? 4 : 2;

/// One block sorting a whole small input, or a sample: latency is all that counts, so as many
/// threads as a block can have, each with few items.
struct large_tile {
  static constexpr int threads_per_block = 1024;
};

/// One bucket among many: a block of 8 warps needs 3 rounds of merging after its warp sorts, and
/// several blocks fit on a multiprocessor to hide each other's barriers.
struct bucket_tile {
  static constexpr int threads_per_block = 256;
};

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tuning {

/// One block sorting 2-byte keys by digits. Measured in us, kernel alone: 1024 keys, 256 x 4 with 4
/// bits 4.0, 6 bits 4.2, and by comparisons 6.0; 4096 keys, 256 x 16 with 6 bits 6.6, 512 x 8 with
/// 4 bits 6.8, by comparisons 11.0.
template <int ItemsPerThread>
struct small_radix_sort {
  static constexpr int threads_per_block = 256;
  static constexpr int items_per_thread = ItemsPerThread;
  static constexpr int items_per_tile = threads_per_block * items_per_thread;
  static constexpr int bits = ItemsPerThread <= 4 ? 4 : 6;
};

// The tiles of one block: small inputs have the first one, all others of small_sort the second.
using small_radix_tile = small_radix_sort<4>;
using large_radix_tile = small_radix_sort<16>;

}  // namespace tuning
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

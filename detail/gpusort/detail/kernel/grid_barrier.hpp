// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

// Where host code is compiled no kernel runs, and the header brings <cuda/atomic> along: together a
// tenth of the text of a program that sorts.
#if defined(__CUDA_ARCH__)
#include <cooperative_groups.h>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The barrier of all threads of a cooperative launch.
class grid_barrier {
 public:
#if defined(__CUDA_ARCH__)
  /// Synchronizes the grid. Lanes come together first: under -G (nvcc 13.0) some of a warp that is
  /// diverged pass the block's barrier in grid_.sync(), WARPSYNC.COLLECTIVE.ALL, and wait at the
  /// next one for the others, which wait in it.
  GPUSORT_DEVICE void sync() const {
    __syncwarp();
    grid_.sync();
  }

 private:
  cooperative_groups::grid_group grid_ = cooperative_groups::this_grid();
#else
  GPUSORT_DEVICE void sync() const {}
#endif
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

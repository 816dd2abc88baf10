// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace tile {

/// The blocks of a cluster, which reach each other's shared memory. For code that runs on devices
/// with clusters (sm_90 on); compiled for others it does nothing and must not be run. In intrinsics
/// that nvcc and clang both have: under clang, cooperative_groups knows no clusters.
struct cluster {
  static GPUSORT_DEVICE int rank() {
#if __CUDA_ARCH__ >= 900
    return static_cast<int>(__clusterRelativeBlockRank());
#else
    return 0;
#endif
  }

  /// Returns what block `rank` has where this block has *mine, in shared memory.
  template <class T>
  static GPUSORT_DEVICE T* at(T* mine, [[maybe_unused]] int rank) {
#if __CUDA_ARCH__ >= 900
    return static_cast<T*>(__cluster_map_shared_rank(mine, static_cast<unsigned>(rank)));
#else
    return mine;
#endif
  }

  /// Arrives, the first half of a barrier of all threads of all blocks: what was written before
  /// arrive() is seen after wait().
  static GPUSORT_DEVICE void arrive() {
#if __CUDA_ARCH__ >= 900
    __cluster_barrier_arrive();
#endif
  }
  static GPUSORT_DEVICE void wait() {
#if __CUDA_ARCH__ >= 900
    __cluster_barrier_wait();
#endif
  }

  static GPUSORT_DEVICE void sync() {
    arrive();
    wait();
  }
};

}  // namespace tile
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

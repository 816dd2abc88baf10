// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>
#include <utility>

// Where host code is compiled no kernel runs, and the header brings <cuda/atomic> along: together a
// tenth of the text of a program that sorts.
#if defined(__CUDA_ARCH__)
#include <cooperative_groups.h>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// The barrier of all threads of a cooperative launch, also in two halves: what was written before
/// arrive() is seen after wait().
class grid_barrier {
 public:
#if defined(__CUDA_ARCH__)
  using arrival = cooperative_groups::grid_group::arrival_token;

  GPUSORT_DEVICE arrival arrive() const { return grid_.barrier_arrive(); }
  GPUSORT_DEVICE void wait(arrival&& arrived) const { grid_.barrier_wait(std::move(arrived)); }
  GPUSORT_DEVICE void sync() const { grid_.sync(); }

 private:
  cooperative_groups::grid_group grid_ = cooperative_groups::this_grid();
#else
  struct arrival {};

  GPUSORT_DEVICE arrival arrive() const { return {}; }
  GPUSORT_DEVICE void wait(arrival&&) const {}
  GPUSORT_DEVICE void sync() const {}
#endif
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

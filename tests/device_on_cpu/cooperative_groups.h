// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "grid_on_cpu.hpp"

namespace cooperative_groups {

struct grid_group {
  struct arrival_token {};
  static void sync() { kit::block_on_cpu::current().sync_grid(); }
  // The halves of a barrier are not told apart: the second is all of it.
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&) { sync(); }
  static unsigned num_threads() { return gridDim.x * blockDim.x; }
  static unsigned thread_rank() { return blockIdx.x * blockDim.x + threadIdx.x; }
};
inline grid_group this_grid() { return {}; }

}  // namespace cooperative_groups

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call with a projection, and with {} in the place of the comparator, on a device.
#include "../kit/device.hpp"
#include "../kit/projected_calls.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

class projections : public gpu_test {};

std::vector<std::size_t> every_size() {
  if (small_sizes_only()) return {0, 1, 2, 100, 5000};
  return {0, 1, 2, 100, 5000, 300000};
}

TEST_F(projections, of_sorts) {
  for (std::size_t n : every_size()) {
    projected_sorts(par_gpu, random_trades(n), &trade::volume);
  }
}

TEST_F(projections, of_merges) {
  for (std::size_t n : every_size()) {
    projected_merges(par_gpu, random_trades(n), volume_of{});
  }
}

TEST_F(projections, of_segmented_sorts) {
  for (std::size_t n : every_size()) {
    projected_segments(par_gpu, random_trades(n), &trade::volume);
  }
}

}  // namespace
}  // namespace kit

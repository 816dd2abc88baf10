// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments that are given by where they begin and where they end, on the CPU.
#include "../kit/segments_with_gaps.hpp"

namespace kit {
namespace {

using gpusort::par_gpu;

TEST(segments_with_gaps, are_sorted_and_the_rest_stays) {
  for (std::size_t n : {0, 1, 100, 5000}) {
    for (int cores : {1, 3}) {
      with_cores(cores, [&] { segments_hold(par_gpu, n, host_memory{}); });
    }
    segments_hold(par_gpu.with(gpusort::verify, gpusort::keep_input), n, host_memory{});
  }
}

TEST(segments_with_gaps, are_refused_where_they_overlap) { wrong_segments_are_refused(par_gpu); }

}  // namespace
}  // namespace kit

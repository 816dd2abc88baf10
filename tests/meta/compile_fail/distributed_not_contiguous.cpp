// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: contiguous
#include <deque>
#include <gpusort/distributed/in_process.hpp>

void call(gpusort::distributed::in_process& ranks, std::deque<int>& d) {
  using range = gpusort::distributed::rank_range<std::deque<int>::iterator>;
  gpusort::distributed::sort(ranks, gpusort::par_gpu, std::vector<range>{{d.begin(), d.end()}});
}

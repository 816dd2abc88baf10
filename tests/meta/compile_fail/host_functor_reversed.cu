// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: needs_a_host_device_comparator_or_projection
#include <gpusort/sort.hpp>
#include <iterator>

struct host_less {
  bool operator()(int a, int b) const { return a < b; }
};

void call(int* p) {
  gpusort::sort(gpusort::par_gpu, std::make_reverse_iterator(p + 1), std::make_reverse_iterator(p),
                host_less{});
}

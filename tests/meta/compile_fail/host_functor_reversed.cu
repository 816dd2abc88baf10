// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: needs_host_device_before_the_operator_of
#include <gpusort/sort.hpp>
#include <iterator>

struct host_less {
  bool operator()(int a, int b) const { return a < b; }
};

void call(int* p) {
  gpusort::sort(gpusort::par_gpu, std::make_reverse_iterator(p + 1), std::make_reverse_iterator(p),
                host_less{});
}

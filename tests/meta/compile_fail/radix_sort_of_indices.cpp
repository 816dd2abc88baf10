// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: radix_sort
// expect: see through
#include <gpusort/index_sort.hpp>

struct compare {
  GPUSORT_HOST_DEVICE bool operator()(int i, int j) const { return i % 10 < j % 10; }
};
struct swap_nothing {
  GPUSORT_HOST_DEVICE void operator()(int, int) const {}
};

void call() {
  gpusort::sort(gpusort::par_gpu.with(gpusort::algorithm::radix_sort), 0, 10, compare{},
                swap_nothing{});
}

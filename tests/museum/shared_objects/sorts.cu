// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of the shared objects: UNIT names its function.
#include <gpusort/gpusort.hpp>

#include "sorts.hpp"

void UNIT(double* first, double* last, bool is_host) {
  if (is_host) {
    gpusort::stable_sort(gpusort::par_gpu, first, last, by_fraction{});
  } else {
    gpusort::sort(gpusort::par_gpu, first, last, by_fraction{});
  }
}

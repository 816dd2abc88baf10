// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no operator<
#include <gpusort/segmented_sort.hpp>

struct price {
  int dollars;
};
struct trade {
  price last;
};

void call(trade* first, trade* last, const int* offsets) {
  gpusort::segmented_sort(gpusort::par_gpu, first, last, offsets, offsets + 2, {}, &trade::last);
}

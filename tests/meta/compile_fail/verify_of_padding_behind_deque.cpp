// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: verify
// expect: padding
#include <deque>
#include <gpusort/sort.hpp>

struct padded {
  char key;
  int payload;
};
struct by_key {
  GPUSORT_HOST_DEVICE bool operator()(const padded& a, const padded& b) const {
    return a.key < b.key;
  }
};

void call(std::deque<padded>& d) {
  gpusort::sort(gpusort::par_gpu.with(gpusort::verify), d.begin(), d.end(), by_key{});
}

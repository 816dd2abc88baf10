// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: values
// expect: iterators
#include <gpusort/merge.hpp>
#include <utility>

// The values of each run have a beginning of their own.
void call(const std::pair<int*, int*>* runs, const int* values, int* keys_out, int* values_out) {
  gpusort::multiway_merge_by_key(gpusort::par_gpu, runs, runs + 2, values, keys_out, values_out);
}

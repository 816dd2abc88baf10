// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>

struct record {
  unsigned key;
  float weight;
  int fields[6];
};

void call(record* p, long n) {
  gpusort::sort(gpusort::par_gpu, p, p + n,
                gpusort::order_by(gpusort::asc<&record::key>(), gpusort::desc<&record::weight>()));
}

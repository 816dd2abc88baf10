// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: change as they are moved
#include <cstdint>
#include <gpusort/records.hpp>
#include <gpusort/sort.hpp>

struct record {
  int key;
};

void call(record* p, const std::uint32_t* bitmap) {
  gpusort::sort(gpusort::par_gpu, p, p + 1,
                gpusort::order_by(gpusort::asc(&record::key).nulls_first(bitmap)));
}

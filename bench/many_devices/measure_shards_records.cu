// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure_shards.hpp"

void many_devices::measure_records(session& all) {
  all.measure_scaling(subject<record64, by_key>{"64 bytes by a comparator", false, {}});
}

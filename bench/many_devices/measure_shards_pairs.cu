// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure_shards.hpp"

void many_devices::measure_pairs(session& all) {
  all.measure_scaling(subject<std::uint32_t, gpusort::less>{"u32 with u32", true, {}});
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure_shards.hpp"

void many_devices::measure_u64(session& all) {
  all.measure_scaling(subject<std::uint64_t, gpusort::less>{"u64", false, {}});
}

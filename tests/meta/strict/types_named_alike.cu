// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A caller's types that are named as something of gpusort's. The code that nvcc generates for the
// host names template arguments once more, and not always from the global namespace.
#include <cstdint>
#include <gpusort/gpusort.hpp>

using gpusort::asc;
using gpusort::order_by;
using gpusort::par_gpu;

struct version {
  std::uint64_t key;
  std::uint32_t value, flags;
};
void sorts_by_members(version* first, version* last) {
  gpusort::stable_sort(par_gpu, first, last, order_by(asc<&version::key>()));
}

void merges_by_members(const version* first, const std::uint64_t* offsets,
                       const std::uint64_t* offsets_end, version* out) {
  gpusort::multiway_merge(par_gpu, first, offsets, offsets_end, out,
                          order_by(asc<&version::key>()));
}

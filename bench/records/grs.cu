// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paper 002's radix sort. Its scratch is at hand; indirectly sorted records are in new arrays.
#include "../papers/grs_radix_sort.hpp"
#include "session.hpp"

namespace record_bench {

void measure_grs(session& s) {
  using papers::grs_radix_sort;
  const std::size_t direct_bytes = grs_radix_sort::direct_scratch_bytes(s.n());
  const std::size_t indirect_bytes = grs_radix_sort::indirect_scratch_bytes(s.n());
  void* const scratch = s.scratch(direct_bytes < indirect_bytes ? indirect_bytes : direct_bytes);
  for (layout how : every_layout) {
    for (int fields : field_counts) {
      if (how == layout::hybrid && fields < 3) continue;
      s.measure(how, fields, "grs_direct", [&](const record_memory& m) {
        grs_radix_sort::sort_directly(nullptr, m.shape.arrays(m.records), m.shape.arrays(m.spare),
                                      m.n(), scratch);
        return m.records;
      });
      s.measure(how, fields, "grs_indirect", [&](const record_memory& m) {
        grs_radix_sort::sort_indirectly(nullptr, m.shape.arrays(m.records), m.shape.arrays(m.spare),
                                        m.n(), scratch);
        return m.spare;
      });
    }
  }
}

}  // namespace record_bench

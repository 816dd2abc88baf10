// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "by_record.hpp"

namespace record_bench {

void measure_short_records(session& s) {
  measure_by_record<1>(s);
  measure_by_record<2>(s);
  measure_by_record<3>(s);
  measure_by_record<4>(s);
}

}  // namespace record_bench

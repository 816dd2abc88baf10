// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "by_record.hpp"

namespace record_bench {

void measure_medium_records(session& s) {
  measure_by_record<6>(s);
  measure_by_record<8>(s);
  measure_by_record<12>(s);
}

}  // namespace record_bench

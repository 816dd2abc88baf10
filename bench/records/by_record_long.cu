// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "by_record.hpp"

namespace record_bench {

void measure_long_records(session& s) {
  measure_by_record<16>(s);
  measure_by_record<20>(s);
}

}  // namespace record_bench

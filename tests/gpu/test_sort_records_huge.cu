// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of 4 KB.
#include "../kit/call_definition.hpp"
#include "../kit/sort_properties.hpp"

namespace kit {

template void run(const call&, record<4096>*, record<4096>*, opaque);

using huge_records_subjects = ::testing::Types<subject<record<4096>, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(huge_records, sort_properties, huge_records_subjects);

}  // namespace kit

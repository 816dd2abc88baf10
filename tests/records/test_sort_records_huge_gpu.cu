// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of 4 KB.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<record<4096>, opaque>;

using huge_records_subjects = ::testing::Types<subject<record<4096>, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(huge_records, sort_properties, huge_records_subjects);

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of 64 bytes.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<record<64>, opaque>;

using records_64_subjects = ::testing::Types<subject<record<64>, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(records_64, sort_properties, records_64_subjects);

}  // namespace kit

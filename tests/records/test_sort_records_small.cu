// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of 16 and 32 bytes.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<record<16>, opaque>;
template struct subject<record<32>, opaque>;

using small_records_subjects =
    ::testing::Types<subject<record<16>, opaque>, subject<record<32>, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(small_records, sort_properties, small_records_subjects);

}  // namespace kit

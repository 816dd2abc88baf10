// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of 100 bytes without alignment, and of 128 bytes.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<record<100, 1>, opaque>;
template struct subject<record<128>, opaque>;

using large_records_subjects =
    ::testing::Types<subject<record<100, 1>, opaque>, subject<record<128>, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(large_records, sort_properties, large_records_subjects);

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of 3 and of 12 bytes; of one byte there are sorting/test_sort_opaque_8_gpu.cu's.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<record<3>, opaque>;
template struct subject<record<12>, opaque>;

using tiny_records_subjects =
    ::testing::Types<subject<record<3>, opaque>, subject<record<12>, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(tiny_records, sort_properties, tiny_records_subjects);

}  // namespace kit

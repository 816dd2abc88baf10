// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of up to 12 bytes, most of odd sizes.
#include "../kit/call_definition.hpp"
#include "../kit/sort_properties.hpp"

namespace kit {

template void run(const call&, record<1>*, record<1>*, opaque);
template void run(const call&, record<3>*, record<3>*, opaque);
template void run(const call&, record<12>*, record<12>*, opaque);

using tiny_records_subjects =
    ::testing::Types<subject<record<1>, opaque>, subject<record<3>, opaque>,
                     subject<record<12>, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(tiny_records, sort_properties, tiny_records_subjects);

}  // namespace kit

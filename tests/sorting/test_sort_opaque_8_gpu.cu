// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes under a comparator that the library cannot see through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<std::uint8_t, opaque>;

using opaque_8_subjects = ::testing::Types<subject<std::uint8_t, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(opaque_8, sort_properties, opaque_8_subjects);

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers under a comparator that the library cannot see through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<float, opaque>;

using opaque_float_subjects = ::testing::Types<subject<float, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(opaque_float, sort_properties, opaque_float_subjects);

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of two bytes in the orders that the library sees through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<__half, gpusort::less>;
template struct subject<__half, gpusort::greater>;
template struct subject<__nv_bfloat16, gpusort::less>;

using narrow_floats_subjects =
    ::testing::Types<subject<__half, gpusort::less>, subject<__half, gpusort::greater>,
                     subject<__nv_bfloat16, gpusort::less>>;
INSTANTIATE_TYPED_TEST_SUITE_P(narrow_floats, sort_properties, narrow_floats_subjects);

}  // namespace kit

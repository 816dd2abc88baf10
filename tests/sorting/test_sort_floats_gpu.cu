// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers in the orders that the library sees through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<float, gpusort::less>;
template struct subject<float, gpusort::greater>;
template struct subject<double, gpusort::less>;
template struct subject<double, gpusort::greater>;

using floats_subjects =
    ::testing::Types<subject<float, gpusort::less>, subject<float, gpusort::greater>,
                     subject<double, gpusort::less>, subject<double, gpusort::greater>>;
INSTANTIATE_TYPED_TEST_SUITE_P(floats, sort_properties, floats_subjects);

}  // namespace kit

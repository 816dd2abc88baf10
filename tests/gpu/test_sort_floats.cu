// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers in the orders that the library sees through.
#include "../kit/call_definition.hpp"
#include "../kit/sort_properties.hpp"

namespace kit {

template void run(const call&, float*, float*, gpusort::less);
template void run(const call&, float*, float*, gpusort::greater);
template void run(const call&, double*, double*, gpusort::less);
template void run(const call&, double*, double*, gpusort::greater);

using floats_subjects =
    ::testing::Types<subject<float, gpusort::less>, subject<float, gpusort::greater>,
                     subject<double, gpusort::less>, subject<double, gpusort::greater>>;
INSTANTIATE_TYPED_TEST_SUITE_P(floats, sort_properties, floats_subjects);

}  // namespace kit

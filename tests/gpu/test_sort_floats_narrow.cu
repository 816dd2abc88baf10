// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of two bytes in the orders that the library sees through.
#include "../kit/call_definition.hpp"
#include "../kit/sort_properties.hpp"

namespace kit {

template void run(const call&, __half*, __half*, gpusort::less);
template void run(const call&, __half*, __half*, gpusort::greater);
template void run(const call&, __nv_bfloat16*, __nv_bfloat16*, gpusort::less);

using narrow_floats_subjects =
    ::testing::Types<subject<__half, gpusort::less>, subject<__half, gpusort::greater>,
                     subject<__nv_bfloat16, gpusort::less>>;
INSTANTIATE_TYPED_TEST_SUITE_P(narrow_floats, sort_properties, narrow_floats_subjects);

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers under a comparator that the library cannot see through.
#include "../kit/call_definition.hpp"
#include "../kit/sort_properties.hpp"

namespace kit {

template void run(const call&, float*, float*, opaque);

using opaque_float_subjects = ::testing::Types<subject<float, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(opaque_float, sort_properties, opaque_float_subjects);

}  // namespace kit

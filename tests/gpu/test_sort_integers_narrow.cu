// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of one and two bytes in the orders that the library sees through.
#include "../kit/call_definition.hpp"
#include "../kit/sort_properties.hpp"

namespace kit {

template void run(const call&, bool*, bool*, gpusort::less);
template void run(const call&, char*, char*, gpusort::less);
template void run(const call&, std::int8_t*, std::int8_t*, gpusort::greater);
template void run(const call&, std::uint8_t*, std::uint8_t*, gpusort::less);
template void run(const call&, std::int16_t*, std::int16_t*, gpusort::less);
template void run(const call&, std::uint16_t*, std::uint16_t*, gpusort::greater);

using narrow_integers_subjects =
    ::testing::Types<subject<bool, gpusort::less>, subject<char, gpusort::less>,
                     subject<std::int8_t, gpusort::greater>, subject<std::uint8_t, gpusort::less>,
                     subject<std::int16_t, gpusort::less>,
                     subject<std::uint16_t, gpusort::greater>>;
INSTANTIATE_TYPED_TEST_SUITE_P(narrow_integers, sort_properties, narrow_integers_subjects);

}  // namespace kit

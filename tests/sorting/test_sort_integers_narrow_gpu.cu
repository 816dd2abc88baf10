// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of one and two bytes in the orders that the library sees through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<bool, gpusort::less>;
template struct subject<std::int8_t, gpusort::greater>;
template struct subject<std::uint8_t, gpusort::less>;
template struct subject<std::int16_t, gpusort::less>;
template struct subject<std::uint16_t, gpusort::greater>;

using narrow_integers_subjects =
    ::testing::Types<subject<bool, gpusort::less>, subject<std::int8_t, gpusort::greater>,
                     subject<std::uint8_t, gpusort::less>, subject<std::int16_t, gpusort::less>,
                     subject<std::uint16_t, gpusort::greater>>;
INSTANTIATE_TYPED_TEST_SUITE_P(narrow_integers, sort_properties, narrow_integers_subjects);

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of 128 bits in the orders that the library sees through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<int128, gpusort::less>;
template struct subject<uint128, gpusort::greater>;

using wide_integers_subjects =
    ::testing::Types<subject<int128, gpusort::less>, subject<uint128, gpusort::greater>>;
INSTANTIATE_TYPED_TEST_SUITE_P(wide_integers, sort_properties, wide_integers_subjects);

}  // namespace kit

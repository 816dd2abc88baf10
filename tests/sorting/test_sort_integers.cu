// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of four and eight bytes in the orders that the library sees through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<std::int32_t, gpusort::less>;
template struct subject<std::uint32_t, gpusort::less>;
template struct subject<std::uint32_t, gpusort::greater>;
template struct subject<std::int64_t, gpusort::greater>;
template struct subject<std::uint64_t, gpusort::less>;

using integers_subjects =
    ::testing::Types<subject<std::int32_t, gpusort::less>, subject<std::uint32_t, gpusort::less>,
                     subject<std::uint32_t, gpusort::greater>,
                     subject<std::int64_t, gpusort::greater>,
                     subject<std::uint64_t, gpusort::less>>;
INSTANTIATE_TYPED_TEST_SUITE_P(integers, sort_properties, integers_subjects);

}  // namespace kit

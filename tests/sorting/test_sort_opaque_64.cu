// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64-bit keys under a comparator that the library cannot see through.
#include "../kit/sort_properties.hpp"
#include "../kit/subject_definition.hpp"

namespace kit {

template struct subject<std::uint64_t, opaque>;

using opaque_64_subjects = ::testing::Types<subject<std::uint64_t, opaque>>;
INSTANTIATE_TYPED_TEST_SUITE_P(opaque_64, sort_properties, opaque_64_subjects);

}  // namespace kit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of four and eight bytes in the orders that the library sees through.
#include "../kit/call_definition.hpp"
#include "../kit/sort_properties.hpp"

namespace kit {

template void run(const call&, std::int32_t*, std::int32_t*, gpusort::less);
template void run(const call&, std::uint32_t*, std::uint32_t*, gpusort::less);
template void run(const call&, std::uint32_t*, std::uint32_t*, gpusort::greater);
template void run(const call&, std::int64_t*, std::int64_t*, gpusort::greater);
template void run(const call&, std::uint64_t*, std::uint64_t*, gpusort::less);

using integers_subjects =
    ::testing::Types<subject<std::int32_t, gpusort::less>, subject<std::uint32_t, gpusort::less>,
                     subject<std::uint32_t, gpusort::greater>,
                     subject<std::int64_t, gpusort::greater>,
                     subject<std::uint64_t, gpusort::less>>;
INSTANTIATE_TYPED_TEST_SUITE_P(integers, sort_properties, integers_subjects);

}  // namespace kit

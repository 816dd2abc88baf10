// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Hides from the compiler what a number is: it is computed by here, in one register, and what is
// computed from it is not computed before.

GPUSORT_DEVICE void optimization_barrier(std::uint32_t& x) { asm volatile("" : "+r"(x)); }
GPUSORT_DEVICE void optimization_barrier(unsigned long long& x) { asm volatile("" : "+l"(x)); }

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

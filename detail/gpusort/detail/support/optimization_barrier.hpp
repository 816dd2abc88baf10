// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Hides from the compiler what a number is: it is computed by here, in one register, and what is
// computed from it is not computed before.

#if GPUSORT_CUDA
GPUSORT_DEVICE void optimization_barrier(std::uint32_t& x) { asm volatile("" : "+r"(x)); }
GPUSORT_DEVICE void optimization_barrier(unsigned long long& x) { asm volatile("" : "+l"(x)); }
#endif

/// Returns x as if it had been read from memory. For every word that becomes a signed number of a
/// caller's function: nvcc 13.0 to 13.5 widens the sum w + C of a word and a constant, which may
/// wrap, as if it did not, so that begin[a + 1] was read 2^32 elements away from a = w ^ 2^31
/// (docs/decisions, 23; tests/meta/widened_sums). Not volatile: what nobody uses still goes, and it
/// takes no instruction.
GPUSORT_HOST_DEVICE inline std::uint32_t as_loaded(std::uint32_t x) {
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(x));
#endif
  return x;
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

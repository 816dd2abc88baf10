// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Returns the clock of the multiprocessor; always 0 where host code is compiled.
GPUSORT_DEVICE long long cycles_now() {
#if defined(__CUDA_ARCH__)
  return clock64();
#else
  return 0;
#endif
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

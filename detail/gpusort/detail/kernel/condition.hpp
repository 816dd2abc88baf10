// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Whether a condition holds that a kernel before has found: bit 0 of a word. Without one, it does.
GPUSORT_DEVICE bool is_set(const std::uint32_t* condition) {
  return condition == nullptr || (*condition & 1) != 0;
}

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

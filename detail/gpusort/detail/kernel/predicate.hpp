// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace kernel GPUSORT_HIDDEN {

/// Holds what an earlier kernel decides for a later one, which is a no-op where it is not set: bit
/// 0 of a word. Without a word it is set.
struct predicate {
  const std::uint32_t* word = nullptr;

  GPUSORT_DEVICE bool is_set() const { return word == nullptr || (*word & 1) != 0; }
};

}  // namespace kernel
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

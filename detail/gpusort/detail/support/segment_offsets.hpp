// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/support/config.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Segment i of k is [begins[i], ends[i]), and ends before the next begins. Between neighbours of
/// k + 1 offsets `ends` is one after `begins`.
template <class Offset>
struct segment_offsets {
  const Offset* begins;
  const Offset* ends;
  std::uint64_t k;
};

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

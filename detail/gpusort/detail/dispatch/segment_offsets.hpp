// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// Throws std::invalid_argument where k + 1 offsets on the host bound no segments of n elements.
template <class OffsetIterator>
void require_offsets_within(OffsetIterator offsets, std::uint64_t k, std::uint64_t n) {
  using offset = value_t<OffsetIterator>;
  offset before{};
  for (std::uint64_t i = 0; i <= k; ++i) {
    const offset here = host::element(offsets, i);
    if (here < before) {
      refuse(
          i == 0
              ? "an offset of the segments is negative; offsets count from the beginning of the "
                "range"
              : "the offsets of the segments decrease; pass k + 1, none less than the one before");
    }
    before = here;
  }
  if (static_cast<std::uint64_t>(before) > n) {
    refuse(
        "an offset of the segments is after the range; the last is at most the number of "
        "elements");
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

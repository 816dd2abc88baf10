// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <stdexcept>

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
      throw std::invalid_argument(i == 0 ? "gpusort: an offset of the segments is negative"
                                         : "gpusort: the offsets of the segments decrease");
    }
    before = here;
  }
  if (static_cast<std::uint64_t>(before) > n) {
    throw std::invalid_argument("gpusort: an offset of the segments is behind the range");
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort

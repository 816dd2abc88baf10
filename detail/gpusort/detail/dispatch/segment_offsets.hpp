// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

/// k segments of a range: between neighbours of k + 1 offsets, of which `ends` is the second; or
/// from each of k offsets to the one with the same number.
template <bool AreNeighbours, class Begins, class Ends>
struct segment_bounds {
  using begin_iterator = Begins;
  using end_iterator = Ends;
  using offset = value_t<Begins>;
  static constexpr bool are_neighbours = AreNeighbours;

  Begins begins;
  Ends ends;
  std::uint64_t k;
};

/// Throws std::invalid_argument where offsets on the host bound no k > 0 segments of n elements.
template <class Bounds>
void require_offsets_within(const Bounds& bounds, std::uint64_t n) {
  using offset = typename Bounds::offset;
  offset before{};
  for (std::uint64_t i = 0; i < bounds.k; ++i) {
    const offset first = host::element(bounds.begins, i), last = host::element(bounds.ends, i);
    if (i == 0 && first < before) {
      refuse(
          "an offset of the segments is negative; offsets count from the beginning of the range");
    }
    if (last < first || first < before) {
      refuse(Bounds::are_neighbours
                 ? "the offsets of the segments decrease; pass k + 1, none less than the one before"
                 : "a segment ends before it begins, or after the next one begins; pass segments "
                   "in their order that do not overlap");
    }
    before = last;
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
